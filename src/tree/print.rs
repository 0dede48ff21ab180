//! The trees as text and as pictures.

impl super::Tree {
    /// Stand-in.
    pub fn to_text(&self) -> String {
        format!("{:?}\n", self.statistics())
    }

    /// Stand-in.
    pub fn to_dot(&self) -> String {
        "digraph { }\n".to_owned()
    }
}
