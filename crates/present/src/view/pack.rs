//! Numbers as text in JSON.

use base64::{Engine as _, engine::general_purpose::STANDARD};

/// Bytes in base64.
pub(super) fn pack<const N: usize>(values: impl Iterator<Item = [u8; N]>) -> String {
    STANDARD.encode(values.flatten().collect::<Vec<u8>>())
}
