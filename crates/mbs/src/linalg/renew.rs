//! Work arrays whose memory is used again.

/// Sets the length of an array and all its elements to one value, reusing its memory.
pub(crate) fn renew<T: Clone>(array: &mut Vec<T>, len: usize, value: T) {
    array.clear();
    array.resize(len, value);
}
