//! Many instances, many threads.

use fmi2::Status;

use crate::library::{Fmu, reference};

/// Runs one instance with its own gain; returns its result.
fn run(gain: f64) -> f64 {
    let fmu = Fmu::initialized("worker");
    assert_eq!(fmu.set_real(reference::GAIN, gain), Status::Ok);
    for step in 0..200 {
        assert_eq!(fmu.step(f64::from(step) * 0.01, 0.01), Status::Ok);
        let mut state = fmu.save();
        unsafe { (fmu.api.fmi2FreeFMUstate)(fmu.component, &raw mut state) };
    }
    fmu.real(reference::X).unwrap()
}

#[test]
fn instances_in_threads_do_not_disturb_each_other() {
    let alone: Vec<f64> = (0..8).map(|gain| run(f64::from(gain))).collect();
    let threads: Vec<_> = (0..8).map(|gain| std::thread::spawn(move || run(f64::from(gain)))).collect();
    let together: Vec<f64> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
    assert_eq!(alone, together);
}

#[test]
fn one_instance_used_from_many_threads_stays_sound() {
    let fmu = Fmu::initialized("shared");
    let component = fmu.component as usize;
    let api = fmu.api;
    let hammer = move || {
        let component = std::ptr::without_provenance_mut(component);
        let (vr, mut value) = (reference::U, 0.0);
        for step in 0..1000 {
            let number = f64::from(step);
            unsafe {
                assert_eq!((api.fmi2SetReal)(component, &raw const vr, 1, &raw const number), Status::Ok);
                assert_eq!((api.fmi2GetReal)(component, &raw const vr, 1, &raw mut value), Status::Ok);
            }
        }
    };
    let threads: Vec<_> = (0..4).map(|_| std::thread::spawn(hammer)).collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    assert_eq!(fmu.real(reference::U), Ok(999.0));
}

#[test]
fn a_thousand_instances_live_side_by_side() {
    let mut fmus: Vec<Fmu> = (0..1000).map(|_| Fmu::initialized("one of many")).collect();
    fmus.retain(|fmu| (fmu.component as usize).is_multiple_of(2));
    for fmu in &fmus {
        assert_eq!(fmu.step(0.0, 0.1), Status::Ok);
    }
}
