//! Checks details before anything is made of them.

use super::details::{ContactMark, Curve, Track};
use super::{Details, ViewError};

/// Finds the first mistake in `details` of an animation with `frames` times.
pub(super) fn check_details(details: &Details, frames: usize) -> Result<(), ViewError> {
    details.tracks.iter().try_for_each(|track| check_track(track, frames))?;
    details.curves.iter().try_for_each(|curve| check_curve(curve, frames))?;
    if !details.contacts.is_empty() {
        check_count("contacts", "lists", details.contacts.len(), frames)?;
    }
    details.contacts.iter().flatten().try_for_each(|mark| check_contact(mark, details.pairs.len()))
}

fn check_count(of: &str, what: &'static str, found: usize, expected: usize) -> Result<(), ViewError> {
    if found == expected {
        return Ok(());
    }
    Err(ViewError::FrameCount { body: of.to_owned(), what, found, expected })
}

fn check_track(track: &Track, frames: usize) -> Result<(), ViewError> {
    check_count(&track.name, "spans", track.spans.len(), frames)?;
    if !track.pulls.is_empty() {
        check_count(&track.name, "forces", track.pulls.len(), frames)?;
    }
    let mut numbers = track.spans.iter().flatten().flatten().flatten().chain(&track.pulls);
    finite(&track.name, numbers.all(|value| value.is_finite()))
}

fn check_curve(curve: &Curve, frames: usize) -> Result<(), ViewError> {
    check_count(&curve.name, "values", curve.values.len(), frames)
}

fn check_contact(mark: &ContactMark, pairs: usize) -> Result<(), ViewError> {
    if mark.pair as usize >= pairs {
        let reason = format!("names the pair {}, but there are {pairs}", mark.pair);
        return Err(ViewError::Detail { of: "a contact".to_owned(), reason });
    }
    let vectors = [mark.at, mark.normal, mark.force];
    let all = vectors.iter().chain(&mark.rim).flatten().chain([&mark.radius]).all(|value| value.is_finite());
    finite("a contact", all)
}

fn finite(of: &str, all: bool) -> Result<(), ViewError> {
    if all {
        return Ok(());
    }
    let reason = "has a number that is not finite".to_owned();
    Err(ViewError::Detail { of: of.to_owned(), reason })
}
