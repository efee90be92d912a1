//! Details as the page reads them.

use super::Details;
use super::details::{ContactMark, Curve, Track, TrackKind};
use super::pack::pack;
use serde::Serialize;

#[derive(Serialize)]
pub(super) struct PageDetails<'a> {
    tracks: Vec<PageTrack<'a>>,
    pairs: &'a [String],
    /// u32, contacts at every time.
    counts: String,
    /// f32, contact after contact: pair, point, normal, force, radius, number of corners, corners.
    contacts: String,
    curves: Vec<PageCurve<'a>>,
}

#[derive(Serialize)]
struct PageTrack<'a> {
    name: &'a str,
    kind: TrackKind,
    /// f32, six per frame; NaN while it is not there. One frame when it never changes.
    spans: String,
    /// f32, one per frame.
    pulls: String,
}

#[derive(Serialize)]
struct PageCurve<'a> {
    name: &'a str,
    unit: &'a str,
    /// f32, one per frame.
    values: String,
}

impl<'a> PageDetails<'a> {
    pub(super) fn new(details: &'a Details) -> Self {
        let Details { tracks, pairs, contacts, curves } = details;
        Self {
            tracks: tracks.iter().map(page_track).collect(),
            pairs,
            counts: pack(contacts.iter().map(|marks| (marks.len() as u32).to_le_bytes())),
            contacts: floats(contacts.iter().flatten().flat_map(numbers)),
            curves: curves.iter().map(page_curve).collect(),
        }
    }
}

fn page_track(track: &Track) -> PageTrack<'_> {
    let same = track.spans.windows(2).all(|pair| pair[0] == pair[1]);
    let shown = if same { &track.spans[..track.spans.len().min(1)] } else { &track.spans };
    let span = |span: &Option<[[f64; 3]; 2]>| span.unwrap_or([[f64::NAN; 3]; 2]);
    PageTrack {
        name: &track.name,
        kind: track.kind,
        spans: floats(shown.iter().flat_map(|points| span(points).into_iter().flatten())),
        pulls: floats(track.pulls.iter().copied()),
    }
}

fn numbers(mark: &ContactMark) -> impl Iterator<Item = f64> + '_ {
    let head = [f64::from(mark.pair)].into_iter().chain(mark.at).chain(mark.normal).chain(mark.force);
    let size = [mark.radius, mark.rim.len() as f64];
    head.chain(size).chain(mark.rim.iter().flatten().copied())
}

fn page_curve(curve: &Curve) -> PageCurve<'_> {
    PageCurve { name: &curve.name, unit: &curve.unit, values: floats(curve.values.iter().copied()) }
}

fn floats(values: impl Iterator<Item = f64>) -> String {
    pack(values.map(|value| (value as f32).to_le_bytes()))
}
