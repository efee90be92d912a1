//! Memory that a model will need, requested before it is used: an allocation that fails in the middle of a computation
//! would end the host's process, one that fails here is an error with a message.

use mbs::scene::Scene;

/// Bytes per byte of the stored declaration that the interface of a model needs, at most.
const PER_BYTE_OF_DECLARATION: usize = 120;

/// Bytes per object, joint, force or component of a running model, at most.
const PER_MEMBER: usize = 64 << 10;

/// Bytes per coefficient that shapes, contacts and couplings need while they touch, at most.
const PER_SHAPE: usize = 32 << 10;

/// Bytes for everything that does not grow with the model.
const ALWAYS: usize = 2 << 20;

/// Bytes per variable of a saved state, at most.
const PER_SAVED_VARIABLE: usize = 512;

/// Bytes that reading a stored declaration of this many bytes needs.
pub(crate) fn of_declaration(bytes: usize) -> usize {
    ALWAYS.saturating_add(bytes.saturating_mul(PER_BYTE_OF_DECLARATION))
}

/// Bytes that a run of a scene needs.
pub(crate) fn of_scene(scene: &Scene) -> usize {
    let members = scene.objects.len() + scene.joints.len() + scene.forces.len() + scene.components.len();
    let shapes: usize = scene.objects.iter().map(|(_, object)| object.shapes.len()).sum();
    ALWAYS.saturating_add(members.saturating_mul(PER_MEMBER)).saturating_add(shapes.saturating_mul(PER_SHAPE))
}

/// Bytes that a saved state of a run with this many variables needs.
pub(crate) fn of_state(variables: usize) -> usize {
    variables.saturating_mul(PER_SAVED_VARIABLE)
}

/// Refuses what needs more memory than there is.
///
/// # Errors
/// The memory that is missing.
pub(crate) fn require(bytes: usize, what: &str) -> Result<(), String> {
    if reserve::is_there(bytes) {
        return Ok(());
    }
    let wanted = (bytes >> 20) + 1;
    Err(format!("not enough memory for {what}: up to {wanted} MiB are needed"))
}

#[cfg(test)]
mod tests {
    use super::require;

    #[test]
    fn what_fits_is_granted_and_what_does_not_is_told() {
        assert_eq!(require(1 << 20, "a small model"), Ok(()));
        let refusal = require(usize::MAX >> 2, "a model as large as all memory");
        assert!(refusal.is_err_and(|message| message.contains("as large as all memory")));
    }
}
