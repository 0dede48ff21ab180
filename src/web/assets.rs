//! The page, compiled in.

/// A file of the page.
pub struct Asset {
    /// Where it is served.
    pub path: &'static str,
    pub kind: &'static str,
    pub text: &'static str,
}

macro_rules! assets {
    ($($path:literal $file:literal $kind:literal)*) => {
        /// All files of the page.
        pub const ASSETS: &[Asset] = &[
            $(Asset { path: $path, kind: $kind, text: include_str!(concat!("page/", $file)) },)*
        ];
    };
}

assets! {
    "/" "index.html" "text/html; charset=utf-8"
}
