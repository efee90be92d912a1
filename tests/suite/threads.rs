//! Threads that evaluate contacts: the same bits with any number of them.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::support::started;
use multibody_fmu::Session;
use std::fmt::Write;

/// Boxes fall on a height field of several pieces, and on each other.
fn heap(count: usize) -> String {
    let mut text = String::from(
        r#"
name = "Heap"
gravity = [0, 0, -9.81]
contact = { k_red = 1e-3 }
outputs = ["energy", "number_of_contacts"]

[objects.hills]
fixed = true
solid = { shape = "height_field", lengths = [3, 3], heights = [[2, 1, 2], [1, 0, 1], [2, 1, 2]], scale = 0.1, material = "DryWood", collides = true, massless = true }
"#,
    );
    for k in 0..count {
        let (layer, x, y) = (k / 9, (k % 3) as f64 - 1.0, (k / 3 % 3) as f64 - 1.0);
        let z = 0.3 + 0.25 * layer as f64;
        write!(
            text,
            "[objects.b{k}]\nfree = true\nr = [{}, {}, {z}]\nrotation = [0.{k}, 0.1, 0]\n\
             solid = {{ shape = \"box\", lengths = [0.25, 0.2, 0.15], material = \"DryWood\", collides = true }}\n",
            0.28 * x + 0.01 * layer as f64,
            0.26 * y
        )
        .unwrap();
    }
    text
}

/// The session of a heap with so many threads.
fn session(text: &str, threads: usize) -> Session {
    let (_, mut session) = started(text, Some(1e-4));
    session.share_with(threads);
    session
}

/// All variables as bits.
fn values(session: &mut Session) -> Vec<u64> {
    let count = session.interface().variables.len();
    (0..count).map(|k| session.get(k).unwrap().to_bits()).collect()
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let text = heap(27);
    let mut alone = session(&text, 1);
    let mut shared = [2, 5].map(|threads| session(&text, threads));
    let mut most = 0.0_f64;
    let contacts = alone.interface().find("number_of_contacts").unwrap();
    for k in 1..=25 {
        let t = 0.02 * f64::from(k);
        alone.do_step(t).unwrap();
        let expected = values(&mut alone);
        most = most.max(alone.get(contacts).unwrap());
        for session in &mut shared {
            session.do_step(t).unwrap();
            assert!(values(session) == expected, "other values at {t} s");
        }
    }
    assert!(most >= 20.0, "{most} contacts are too few to be shared out");
    let work = |session: &mut Session| session.statistics().unwrap();
    let expected = work(&mut alone);
    shared.iter_mut().for_each(|session| assert_eq!(work(session), expected));
}

#[test]
fn an_fmu_has_a_parameter_for_it_where_something_collides() {
    let (interface, mut session) = started(&heap(2), None);
    let threads = interface.find("threads").unwrap();
    assert_eq!(session.get(threads).unwrap(), 1.0);
    for wrong in [0.0, 1.5, 257.0] {
        let message = session.set(threads, wrong).unwrap_err().to_string();
        assert!(message.contains("`threads` is"), "{message}");
    }
    session.set(threads, 3.0).unwrap();
    let saved = session.save().unwrap();
    session.reset();
    assert_eq!(session.get(threads).unwrap(), 1.0);
    session.restore(&saved).unwrap();
    assert_eq!(session.get(threads).unwrap(), 3.0);
    let ball = "name = \"Ball\"\n[objects.ball]\nfree = true\nmass = { m = 1, inertia = [1, 1, 1] }\n";
    assert_eq!(started(ball, None).0.find("threads"), None);
}

/// Threads of this process.
#[cfg(target_os = "linux")]
fn threads() -> usize {
    std::fs::read_dir("/proc/self/task").unwrap().count()
}

#[test]
#[cfg(target_os = "linux")]
fn helpers_start_when_there_is_work_and_end_with_their_session() {
    // Other tests of this process have helpers of their own.
    let wait_for = |is_it: &dyn Fn(usize) -> bool| {
        (0..500).any(|_| {
            std::thread::sleep(std::time::Duration::from_millis(1));
            is_it(threads())
        })
    };
    let mut session = session(&heap(27), 100);
    session.do_step(0.001).unwrap();
    assert!(threads() < 99, "helpers wait for work that has not come yet");
    session.do_step(0.25).unwrap();
    assert!(threads() >= 99, "{} threads", threads());
    drop(session);
    assert!(wait_for(&|count| count < 99), "helpers live on");
}
