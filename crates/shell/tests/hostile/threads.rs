//! Hundreds of instances, in many threads at once, give the bits of one alone.

use crate::host::{Fmu, short_run};

#[test]
fn instances_in_threads_give_the_bits_of_one_alone() {
    let alone = short_run(&Fmu::new());
    let work = {
        let alone = alone.clone();
        move || {
            for _ in 0..10 {
                let fmu = Fmu::new();
                assert_eq!(short_run(&fmu), alone);
                let mut state = std::ptr::null_mut();
                unsafe { mbfmu_shell::fmi2_functions::fmi2GetFMUstate(fmu.0, &raw mut state) };
            }
        }
    };
    let threads: Vec<_> = (0..16).map(|_| std::thread::spawn(work.clone())).collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
}

#[test]
fn three_hundred_instances_live_side_by_side() {
    let alone = short_run(&Fmu::new());
    let fmus: Vec<Fmu> = (0..300).map(|_| Fmu::new()).collect();
    for fmu in fmus.iter().step_by(30) {
        assert_eq!(short_run(fmu), alone);
    }
}
