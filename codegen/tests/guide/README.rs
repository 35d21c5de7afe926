//! The README has only whole programs, which other tests build.
