mod declared;
mod draft;

pub use declared::declared;
pub use draft::Draft;
