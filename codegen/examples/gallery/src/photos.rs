//! The operations of photos.

use gallery_api::HandlerError;
use gallery_api::api::photos::{
    PhotosAddForm, PhotosAddResponse, PhotosApi, PhotosChangeResponse, PhotosGetResponse,
    PhotosPictureAccept, PhotosPictureOkContent, PhotosPictureResponse,
};
use gallery_api::models::{NewsWhat, PhotoChange};
use gallery_api::runtime::Upload;
use gallery_api::security::TokenOrUploadKey;

use crate::access::name;
use crate::gallery::{Picture, PictureType};
use crate::{App, refusals};

type Caller = TokenOrUploadKey<&'static str, &'static str>;

impl PhotosApi for App {
    async fn photos_add(
        &self,
        caller: Caller,
        body: Upload<PhotosAddForm>,
    ) -> Result<PhotosAddResponse, HandlerError> {
        let form = body.whole().await?;
        // The service has refused all media types but these two.
        let media_type = match form.photo.content_type.as_deref() {
            Some("image/jpeg") => PictureType::Jpeg,
            _ => PictureType::Png,
        };
        let picture = Picture {
            media_type,
            bytes: form.photo.bytes,
        };
        let photo = self.gallery.add(form.title, picture, name(caller));
        self.tell(NewsWhat::Added, &photo);
        self.send_webhook(photo.clone());
        Ok(PhotosAddResponse::Created {
            location: format!("/photos/{}", photo.id),
            body: photo.into(),
        })
    }

    async fn photos_get(&self, photo_id: i64) -> Result<PhotosGetResponse, HandlerError> {
        Ok(match self.gallery.get(photo_id) {
            Some((photo, _)) => PhotosGetResponse::Ok { body: photo.into() },
            None => PhotosGetResponse::NotFound {
                body: refusals::no_such_photo().into(),
            },
        })
    }

    async fn photos_change(
        &self,
        _: Caller,
        photo_id: i64,
        PhotoChange { title, caption }: PhotoChange,
    ) -> Result<PhotosChangeResponse, HandlerError> {
        let changed = self.gallery.change(photo_id, |photo| {
            photo.title = title.unwrap_or_else(|| photo.title.clone());
            photo.caption = caption.unwrap_or_else(|| photo.caption.clone());
        });
        Ok(match changed {
            Some(photo) => {
                self.tell(NewsWhat::Changed, &photo);
                PhotosChangeResponse::Ok { body: photo.into() }
            }
            None => PhotosChangeResponse::NotFound {
                body: refusals::no_such_photo().into(),
            },
        })
    }

    /// A picture is of the media type that it was uploaded in, even if the caller prefers another; the service
    /// answers 406 where the caller refuses it.
    async fn photos_picture(
        &self,
        photo_id: i64,
        _: PhotosPictureAccept,
    ) -> Result<PhotosPictureResponse, HandlerError> {
        let Some((_, picture)) = self.gallery.get(photo_id) else {
            return Ok(PhotosPictureResponse::NotFound {
                body: refusals::no_such_photo().into(),
            });
        };
        let bytes = picture.bytes.into();
        let body = match picture.media_type {
            PictureType::Png => PhotosPictureOkContent::ImagePng(bytes),
            PictureType::Jpeg => PhotosPictureOkContent::ImageJpeg(bytes),
        };
        Ok(PhotosPictureResponse::Ok { body })
    }
}
