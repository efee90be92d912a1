//! The page: the bundled viewer with the data of one animation in it.

use super::{Animation, LiveView, ViewError, check, data, scene};

/// Markup, style and script of the viewer, bundled from `viewer/src` and kept fresh by a test (`tests/viewer.rs`).
const PAGE: &str = include_str!("../../viewer/page.html");

/// Placeholders in the bundled page.
const TITLE: &str = "@@TITLE@@";
const DATA: &str = "@@DATA@@";

/// Renders `animation` as one HTML page that plays it.
///
/// The page needs nothing but itself: it can be opened from a disk without network. The fragment `#t=1.5` of
/// its address opens it paused at 1.5 s.
///
/// # Errors
/// [`ViewError`] when the animation is inconsistent (see its variants).
pub fn render_html(animation: &Animation) -> Result<String, ViewError> {
    render(animation, None)
}

/// Renders the first frame of a run as a page through which a server continues the run; see [`LiveView`].
///
/// # Errors
/// As [`render_html`].
pub fn render_live(animation: &Animation, live: &LiveView) -> Result<String, ViewError> {
    render(animation, Some(live))
}

/// JSON of the frames of an animation, without shapes and names, for a page that has these already.
///
/// # Errors
/// Values that are no JSON.
pub fn render_frames(animation: &Animation) -> Result<String, ViewError> {
    data::frames_json(animation)
}

fn render(animation: &Animation, live: Option<&LiveView>) -> Result<String, ViewError> {
    check::check(animation)?;
    let json = data::json(animation, &scene::build(animation), live)?;
    Ok(fill(PAGE, &escaped(&animation.title), &json))
}

/// Inserts title and data at the placeholders of the page. Splitting instead of replacing keeps text that equals a
/// placeholder.
fn fill(page: &str, title: &str, json: &str) -> String {
    let (head, rest) = page.split_once(TITLE).unwrap_or((page, ""));
    let (body, tail) = rest.split_once(DATA).unwrap_or((rest, ""));
    [head, title, body, json, tail].concat()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
