//! The photos, in memory.

use axum::body::Bytes;
use gallery_api::models::Photo;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A picture as it was uploaded.
#[derive(Debug, Clone)]
pub(crate) struct Picture {
    pub(crate) media_type: PictureType,
    pub(crate) bytes: Bytes,
}

/// The media types of pictures.
#[derive(Debug, Clone, Copy)]
pub(crate) enum PictureType {
    Png,
    Jpeg,
}

/// All photos by their numbers.
#[derive(Debug, Default)]
pub(crate) struct Gallery(Mutex<BTreeMap<i64, (Photo, Picture)>>);

impl Gallery {
    /// Adds a picture, and returns its description.
    pub(crate) fn add(&self, title: String, picture: Picture, added_by: &str) -> Photo {
        let mut photos = self.photos();
        let photo = Photo {
            id: photos.last_key_value().map_or(1, |(last, _)| last + 1),
            title,
            caption: None,
            bytes: i64::try_from(picture.bytes.len()).unwrap_or(i64::MAX),
            added_by: added_by.to_owned(),
        };
        photos.insert(photo.id, (photo.clone(), picture));
        photo
    }

    /// A photo and its picture.
    pub(crate) fn get(&self, id: i64) -> Option<(Photo, Picture)> {
        self.photos().get(&id).cloned()
    }

    /// Changes a photo, and gives it as it is then.
    pub(crate) fn change(&self, id: i64, change: impl FnOnce(&mut Photo)) -> Option<Photo> {
        let mut photos = self.photos();
        let (photo, _) = photos.get_mut(&id)?;
        change(photo);
        Some(photo.clone())
    }

    fn photos(&self) -> MutexGuard<'_, BTreeMap<i64, (Photo, Picture)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
