//! The smaller copies of stored images. They are made when they are first needed, stored next to the
//! image, and removed with it.

/// A smaller copy of a stored image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StoredCopy {
    /// For a tile of a list.
    Thumbnail,
    /// For a page that shows one image.
    Screen,
}

impl StoredCopy {
    pub(super) const ALL: [Self; 2] = [Self::Thumbnail, Self::Screen];

    /// The name of this copy of the stored file `name`.
    pub(crate) fn name_of(self, name: &str) -> String {
        format!("{name}{}", self.suffix())
    }

    /// The name of the stored file that `copy` is a copy of, if it is one.
    pub(super) fn original(copy: &str) -> Option<&str> {
        Self::ALL.iter().find_map(|it| copy.strip_suffix(it.suffix()))
    }

    fn suffix(self) -> &'static str {
        match self {
            Self::Thumbnail => ".small",
            Self::Screen => ".screen",
        }
    }
}
