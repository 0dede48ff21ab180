//! The trees as text and as pictures.
