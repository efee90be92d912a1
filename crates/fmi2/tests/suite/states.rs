//! Saved states.

use std::ptr::null_mut;

use fmi2::Status;
use fmi2::c_api::FMUstate;

use crate::library::{Fmu, reference};

fn free(fmu: &Fmu, state: &mut FMUstate) -> Status {
    unsafe { (fmu.api.fmi2FreeFMUstate)(fmu.component, state) }
}

fn bytes(fmu: &Fmu, state: FMUstate) -> Vec<u8> {
    let mut size = 0;
    unsafe {
        assert_eq!((fmu.api.fmi2SerializedFMUstateSize)(fmu.component, state, &raw mut size), Status::Ok);
        let mut bytes = vec![0xAA; size];
        let target = bytes.as_mut_ptr().cast();
        assert_eq!((fmu.api.fmi2SerializeFMUstate)(fmu.component, state, target, size - 1), Status::Error);
        fmu.assert_last_message(&[&format!("needs {size} bytes")]);
        assert_eq!((fmu.api.fmi2SerializeFMUstate)(fmu.component, state, target, size), Status::Ok);
        bytes
    }
}

fn read(fmu: &Fmu, bytes: &[u8]) -> Result<FMUstate, Status> {
    let mut state = null_mut();
    let read = fmu.api.fmi2DeSerializeFMUstate;
    let status = unsafe { read(fmu.component, bytes.as_ptr().cast(), bytes.len(), &raw mut state) };
    if status == Status::Ok { Ok(state) } else { Err(status) }
}

#[test]
fn restoring_continues_with_the_same_bits() {
    let fmu = Fmu::initialized("a");
    assert_eq!(fmu.step(0.0, 0.1), Status::Ok);
    let state = fmu.save();
    assert_eq!(fmu.step(0.1, 0.1), Status::Ok);
    let direct = fmu.real(reference::X).unwrap();
    assert_eq!(fmu.restore(state), Status::Ok);
    assert_eq!(fmu.step(0.1, 0.1), Status::Ok);
    assert_eq!(fmu.real(reference::X).unwrap().to_bits(), direct.to_bits());
}

#[test]
fn freeing_a_state_twice_is_an_error() {
    let fmu = Fmu::initialized("a");
    let mut state = fmu.save();
    let mut copy = state;
    assert_eq!(free(&fmu, &mut state), Status::Ok);
    assert!(state.is_null());
    assert_eq!(free(&fmu, &mut state), Status::Ok, "NULL is left alone");
    assert_eq!(free(&fmu, &mut copy), Status::Error);
    fmu.assert_last_message(&["fmi2FreeFMUstate", "has been freed"]);
    assert_eq!(fmu.restore(copy), Status::Error);
    assert_eq!(fmu.restore(null_mut()), Status::Error);
    fmu.assert_last_message(&["NULL"]);
}

#[test]
fn a_state_belongs_to_its_instance() {
    let (one, two) = (Fmu::initialized("one"), Fmu::initialized("two"));
    let mut state = one.save();
    two.save();
    assert_eq!(two.restore(state), Status::Error);
    two.assert_last_message(&["does not belong to this instance"]);
    assert_eq!(free(&two, &mut state), Status::Error);
    assert_eq!(one.restore(state), Status::Ok);
}

#[test]
fn a_state_can_be_overwritten_but_not_invented() {
    let fmu = Fmu::initialized("a");
    let state = fmu.save();
    assert_eq!(fmu.step(0.0, 0.1), Status::Ok);
    let mut same = state;
    assert_eq!(unsafe { (fmu.api.fmi2GetFMUstate)(fmu.component, &raw mut same) }, Status::Ok);
    assert_eq!(same, state);
    assert_eq!(fmu.step(0.1, 0.1), Status::Ok);
    assert_eq!(fmu.restore(state), Status::Ok);
    assert_eq!(fmu.step(0.1, 0.1), Status::Ok, "the overwritten state is that at 0.1 s");
    let mut garbage = std::ptr::without_provenance_mut(0x7fff_1234);
    assert_eq!(unsafe { (fmu.api.fmi2GetFMUstate)(fmu.component, &raw mut garbage) }, Status::Error);
    fmu.assert_last_message(&["never initialised with NULL"]);
}

#[test]
fn a_state_travels_as_bytes_to_another_instance() {
    let one = Fmu::initialized("one");
    assert_eq!(one.set_real(reference::GAIN, 3.0), Status::Ok);
    assert_eq!(one.step(0.0, 0.1), Status::Ok);
    let bytes = bytes(&one, one.save());
    assert_eq!(one.step(0.1, 0.1), Status::Ok);

    let two = Fmu::new("two");
    let state = read(&two, &bytes).unwrap();
    assert_eq!(two.restore(state), Status::Ok);
    assert_eq!(two.step(0.1, 0.1), Status::Ok);
    assert_eq!(two.real(reference::X).unwrap().to_bits(), one.real(reference::X).unwrap().to_bits());
}

#[test]
fn garbage_is_no_state() {
    let fmu = Fmu::initialized("a");
    let good = bytes(&fmu, fmu.save());
    for length in 0..good.len() {
        assert!(read(&fmu, &good[..length]).is_err());
    }
    let mut damaged = good.clone();
    let middle = good.len() / 2;
    damaged[middle] ^= 1;
    assert_eq!(read(&fmu, &damaged), Err(Status::Error));
    fmu.assert_last_message(&["fmi2DeSerializeFMUstate", "damaged"]);
    assert_eq!(read(&fmu, &[0x55; 500]), Err(Status::Error));
    fmu.assert_last_message(&["not a serialized state"]);
    assert!(read(&fmu, &good).is_ok());
}

#[test]
fn resetting_keeps_saved_states() {
    let fmu = Fmu::initialized("a");
    let state = fmu.save();
    assert_eq!(fmu.reset(), Status::Ok);
    assert_eq!(fmu.restore(state), Status::Ok);
    assert_eq!(fmu.step(0.0, 0.1), Status::Ok);
}
