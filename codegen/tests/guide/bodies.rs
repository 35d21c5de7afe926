//! The code around the fragments of `docs/bodies.md`. A line `//> SECTION` stands for the next block of that section.

use crate::server::{Shop, ShopError};
use bytes::Bytes;
use futures_util::StreamExt as _;
use shop_api::api::albums::{AlbumForm, AlbumFormCoverHeaders, AlbumResponse, AlbumsApi};
use shop_api::api::copies::{CopiesApi, CopyResponse};
use shop_api::api::events::{EventsApi, TicksResponse};
use shop_api::runtime::{Event, Events, StreamError, Upload};
use shop_api::{ByteStream, models};
use std::time::Duration;

type MyError = ShopError;

impl CopiesApi for Shop {
    //> Bodies
}

async fn store(_: &str, _: Bytes) -> Result<(), StreamError> {
    Ok(())
}

impl AlbumsApi for Shop {
    async fn album(&self, body: Upload<AlbumForm>) -> Result<AlbumResponse, ShopError> {
        match read(body).await {
            Ok(()) => Ok(AlbumResponse::NoContent),
            Err(_) => Err(ShopError),
        }
    }
}

async fn read(mut body: Upload<AlbumForm>) -> Result<(), StreamError> {
    //> Files
    drop(form);
    Ok(())
}

impl EventsApi for Shop {
    async fn ticks(&self) -> Result<TicksResponse, ShopError> {
        let ticks = futures_util::stream::iter([models::Tick { at: 1 }]);
        //> Events and lines
        Ok(TicksResponse::Ok { body })
    }
}
