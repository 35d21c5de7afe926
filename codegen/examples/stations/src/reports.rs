//! Reports: parts without names, whose place tells their type.

use futures_util::stream;
use stations_api::api::reports::{
    ReportsApi, ReportsFileBodyPart, ReportsFileResponse, ReportsGetOkBodyPart,
    ReportsGetOkBodyPictureHeaders, ReportsGetResponse,
};
use stations_api::runtime::WithHeaders;
use stations_api::security::ObserverOrStationKey;
use stations_api::{BodyPart, BodyParts, HandlerError};

use crate::App;
use crate::access::Caller;
use crate::network::{Picture, Report};
use crate::refusals::{invalid, not_found};

impl ReportsApi for App {
    async fn reports_file(
        &self,
        _: ObserverOrStationKey<Caller, Caller>,
        mut body: BodyParts<ReportsFileBodyPart>,
    ) -> Result<ReportsFileResponse, HandlerError> {
        let (mut summary, mut notes, mut pictures) = (None, Vec::new(), Vec::new());
        while let Some(part) = body.next().await {
            let part = part?;
            match part.content {
                ReportsFileBodyPart::Summary(own) => summary = Some(own),
                ReportsFileBodyPart::Notes(own) => {
                    notes.extend(own.into_iter().map(|note| note.content));
                }
                ReportsFileBodyPart::Picture(picture) => pictures.push(Picture {
                    media_type: part.content_type.unwrap_or_else(|| "image/png".into()),
                    taken_at: picture.headers.x_taken_at,
                    bytes: picture.content,
                }),
            }
        }
        // A body may end after any part.
        let summary = summary.ok_or_else(|| invalid("/0", "is required"))?;
        let number = self.network.file(Report {
            summary: summary.clone(),
            notes,
            pictures,
        });
        Ok(ReportsFileResponse::Created {
            location: format!("/reports/{number}"),
            body: summary.into(),
        })
    }

    async fn reports_get(
        &self,
        _: Caller,
        report: i64,
    ) -> Result<ReportsGetResponse, HandlerError> {
        let Some(report) = self.network.report(report) else {
            let body = not_found().into();
            return Ok(ReportsGetResponse::NotFound { body });
        };
        let notes = report.notes.into_iter().map(BodyPart::from).collect();
        let first = [
            ReportsGetOkBodyPart::Summary(report.summary).into(),
            ReportsGetOkBodyPart::Notes(notes).into(),
        ];
        let pictures = report.pictures.into_iter().map(|picture| BodyPart {
            content_type: Some(picture.media_type),
            ..BodyPart::from(ReportsGetOkBodyPart::Picture(WithHeaders {
                headers: ReportsGetOkBodyPictureHeaders {
                    x_taken_at: picture.taken_at,
                },
                content: picture.bytes,
            }))
        });
        let parts: Vec<BodyPart<ReportsGetOkBodyPart>> =
            first.into_iter().chain(pictures).collect();
        let body = BodyParts::new(stream::iter(parts));
        Ok(ReportsGetResponse::Ok { body })
    }
}
