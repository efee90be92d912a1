//! A saved state, and its form as bytes:
//!
//! | bytes | content (little-endian) |
//! |---|---|
//! | 8 | magic |
//! | 4 | format version |
//! | 4 + n | length of the GUID, GUID |
//! | 3 | life-cycle state; status of the last step; flags |
//! | 5 x 8 | tolerance, start, stop, time, last successful time |
//! | 8 + n | length of the payload, payload of the model |
//! | 8 | FNV-1a checksum of all before |

use super::clock::Timeline;
use super::step_status::StepReport;
use crate::{Experiment, Failure, Outcome, Phase, Status};

const MAGIC: [u8; 8] = *b"fmi2csst";
const VERSION: u32 = 1;
const HAS_TOLERANCE: u8 = 1;
const HAS_STOP: u8 = 2;
const TERMINATED: u8 = 4;

/// A saved state: that of the model, and that of the instance around it.
#[derive(Debug)]
pub(super) struct Snapshot<T> {
    pub(super) model: T,
    pub(super) phase: Phase,
    pub(super) clock: Timeline,
    pub(super) last_step: StepReport,
}

impl<T> Snapshot<T> {
    /// Exchanges the model's part.
    pub(super) fn try_map<U>(self, change: impl FnOnce(T) -> Outcome<U>) -> Outcome<Snapshot<U>> {
        let model = change(self.model)?;
        Ok(Snapshot { model, phase: self.phase, clock: self.clock, last_step: self.last_step })
    }
}

/// Wraps the model's bytes.
pub(super) fn to_bytes<T>(snapshot: &Snapshot<T>, guid: &str, payload: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(payload.len() + guid.len() + 96);
    bytes.extend(MAGIC);
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend((guid.len() as u32).to_le_bytes());
    bytes.extend(guid.as_bytes());
    let Experiment { tolerance, start, stop } = snapshot.clock.experiment;
    let flag = |set: bool, flag: u8| if set { flag } else { 0 };
    let flags = flag(tolerance.is_some(), HAS_TOLERANCE)
        | flag(stop.is_some(), HAS_STOP)
        | flag(snapshot.last_step.terminated, TERMINATED);
    bytes.extend([snapshot.phase as u8, snapshot.last_step.status as u8, flags]);
    let (tolerance, stop) = (tolerance.unwrap_or(0.0), stop.unwrap_or(0.0));
    for number in [tolerance, start, stop, snapshot.clock.time, snapshot.last_step.time] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend((payload.len() as u64).to_le_bytes());
    bytes.extend(payload);
    bytes.extend(checksum(&bytes).to_le_bytes());
    bytes
}

/// Unwraps the model's bytes. Bytes after the end are ignored: the host's buffer may be longer than the state.
///
/// # Errors
/// Not a state, of another version or model, cut short, or damaged; the message says which.
pub(super) fn from_bytes<'a>(bytes: &'a [u8], guid: &str) -> Outcome<Snapshot<&'a [u8]>> {
    let mut reader = Reader { bytes, at: 0 };
    if reader.array()? != MAGIC {
        return Err(Failure::refused("the bytes are not a serialized state of an FMU like this"));
    }
    let version = u32::from_le_bytes(reader.array()?);
    if version != VERSION {
        let problem = format!("the serialized state has format version {version}; this FMU reads version {VERSION}");
        return Err(Failure::refused(problem));
    }
    check_guid(&mut reader, guid)?;
    let snapshot = read_body(&mut reader)?;
    let end = reader.at;
    if u64::from_le_bytes(reader.array()?) != checksum(&bytes[..end]) {
        return Err(Failure::refused("the serialized state is damaged: its checksum does not fit"));
    }
    snapshot.ok_or_else(|| Failure::refused("the serialized state is damaged: a field has an impossible value"))
}

fn check_guid(reader: &mut Reader<'_>, guid: &str) -> Outcome {
    let length = u32::from_le_bytes(reader.array()?);
    let found = reader.take(u64::from(length))?;
    if found == guid.as_bytes() {
        return Ok(());
    }
    let found = String::from_utf8_lossy(found);
    Err(Failure::refused(format!("the serialized state is of the model with GUID {found:?}, this one has {guid:?}")))
}

/// Reads what stands between GUID and checksum; the inner `None` means that a field makes no sense.
fn read_body<'a>(reader: &mut Reader<'a>) -> Outcome<Option<Snapshot<&'a [u8]>>> {
    let [phase, status, flags] = reader.array()?;
    let mut numbers = [0.0; 5];
    for number in &mut numbers {
        *number = f64::from_le_bytes(reader.array()?);
    }
    let length = u64::from_le_bytes(reader.array()?);
    let model = reader.take(length)?;
    let [tolerance, start, stop, time, last_time] = numbers;
    let tolerance = (flags & HAS_TOLERANCE != 0).then_some(tolerance);
    let stop = (flags & HAS_STOP != 0).then_some(stop);
    let terminated = flags & TERMINATED != 0;
    let status = [Status::Ok, Status::Warning, Status::Discard].into_iter().find(|known| *known as u8 == status);
    let phase = Phase::ALL.into_iter().find(|known| *known as u8 == phase);
    let finite = numbers.iter().all(|number| number.is_finite());
    Ok(phase.zip(status).filter(|_| finite).map(|(phase, status)| Snapshot {
        model,
        phase,
        clock: Timeline { experiment: Experiment { tolerance, start, stop }, time },
        last_step: StepReport { status, time: last_time, terminated },
    }))
}

/// 64-bit FNV-1a.
fn checksum(bytes: &[u8]) -> u64 {
    let mix = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, mix)
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: u64) -> Outcome<&'a [u8]> {
        let end = usize::try_from(count).ok().and_then(|count| self.at.checked_add(count));
        let Some(taken) = end.and_then(|end| self.bytes.get(self.at..end)) else {
            let length = self.bytes.len();
            return Err(Failure::refused(format!("the serialized state is cut short: only {length} bytes are there")));
        };
        self.at += taken.len();
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Outcome<[u8; N]> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N as u64)?);
        Ok(array)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn bytes() -> Vec<u8> {
        let experiment = Experiment { tolerance: Some(1e-4), start: -1.0, stop: None };
        let snapshot = Snapshot {
            model: (),
            phase: Phase::StepFailed,
            clock: Timeline { experiment, time: 0.25 },
            last_step: StepReport { status: Status::Discard, time: 0.25, terminated: true },
        };
        to_bytes(&snapshot, "guid", b"payload")
    }

    #[test]
    fn a_state_survives_the_journey_through_bytes() {
        let mut bytes = bytes();
        bytes.extend([0; 9]);
        let back = from_bytes(&bytes, "guid").unwrap();
        assert_eq!(back.model, b"payload");
        assert_eq!((back.phase, back.clock.time), (Phase::StepFailed, 0.25));
        assert_eq!(back.clock.experiment, Experiment { tolerance: Some(1e-4), start: -1.0, stop: None });
        assert_eq!(back.last_step, StepReport { status: Status::Discard, time: 0.25, terminated: true });
    }

    #[test]
    fn every_damaged_byte_and_every_cut_is_noticed() {
        let good = bytes();
        for at in 0..good.len() {
            let mut bad = good.clone();
            bad[at] ^= 0x10;
            assert!(from_bytes(&bad, "guid").is_err(), "byte {at}");
            assert!(from_bytes(&good[..at], "guid").is_err(), "length {at}");
        }
    }

    #[test]
    fn a_state_of_another_model_is_refused_by_name() {
        let message = from_bytes(&bytes(), "other").unwrap_err().message;
        assert!(message.contains("\"guid\"") && message.contains("\"other\""), "{message}");
    }
}
