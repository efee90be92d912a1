use super::*;
use std::convert::Infallible;

const EPS: f64 = 1e-8;

fn seen(i: u32, j: u32, dist: f64) -> PairDistance {
    PairDistance { pair: PairId::new(i, j), dist, delta_dot: 0.5 }
}

fn freeze(_: PairId, delta_dot_minus: f64) -> Result<ContactConstants, Infallible> {
    Ok(steel_on_steel(MaterialPair::new(0.7, 0.5, 0.001)).freeze(delta_dot_minus))
}

fn update(set: &mut ContactSet, t: f64, observations: &[PairDistance]) -> ContactChanges {
    set.update(t, observations, |_| None, freeze).unwrap()
}

#[test]
fn a_contact_starts_at_an_event_below_minus_eps_and_ends_above_zero() {
    let mut set = ContactSet::default();
    assert!(update(&mut set, 0.2, &[seen(1, 2, -0.99 * EPS)]).is_empty());
    let changes = update(&mut set, 0.3, &[seen(1, 2, -1.01 * EPS)]);
    assert_eq!(changes, ContactChanges { started: vec![PairId::new(2, 1)], ended: vec![], struck: vec![] });
    let contact = *set.find(PairId::new(1, 2)).unwrap();
    assert_eq!((contact.t_start, contact.delta_dot_minus), (0.3, 0.5));
    assert_eq!(contact.constants, freeze(contact.pair, 0.5).unwrap());
    let changes = update(&mut set, 0.4, &[seen(1, 2, 0.0)]);
    assert_eq!(changes, ContactChanges { started: vec![], ended: vec![PairId::new(1, 2)], struck: vec![] });
    assert!(set.active().is_empty());
}

#[test]
fn a_second_look_changes_nothing() {
    let distances = [0.0, -1e-300, 1e-12, -1e-12, -0.01 * EPS, -0.5 * EPS, -EPS, -1.5 * EPS, -2.0 * EPS, -2.1 * EPS];
    for before in [-1.0, 1.0] {
        for dist in distances {
            let mut set = ContactSet::default();
            update(&mut set, 0.0, &[seen(0, 1, before)]);
            update(&mut set, 1.0, &[seen(0, 1, dist)]);
            assert!(update(&mut set, 1.0, &[seen(0, 1, dist)]).is_empty(), "from {before} to {dist}");
        }
    }
}

#[test]
fn a_light_body_at_rest_keeps_its_contact_over_other_events() {
    let mut set = ContactSet::default();
    update(&mut set, 0.0, &[seen(0, 1, -3.0 * EPS)]);
    let before = set.clone();
    assert!(update(&mut set, 1.0, &[seen(0, 1, -0.36 * EPS)]).is_empty());
    assert_eq!(set, before);
}

#[test]
fn a_light_body_that_starts_at_rest_is_in_contact() {
    for (speed, expected) in [(0.0, true), (1e-7, true), (-1e-7, true), (1e-3, false), (-1e-3, false)] {
        let mut set = ContactSet::default();
        update(&mut set, 0.0, &[PairDistance { delta_dot: speed, ..seen(0, 1, -0.36 * EPS) }]);
        assert_eq!(!set.active().is_empty(), expected, "{speed} m/s");
    }
}

#[test]
fn only_pairs_that_penetrate_are_in_contact() {
    let mut set = ContactSet::new(Hysteresis { eps: 1e-6, ..Hysteresis::default() });
    let start = [seen(0, 1, -1e-3), seen(0, 2, 0.2), seen(1, 2, -1e-4), seen(3, 4, 0.1)];
    update(&mut set, 0.0, &start);
    assert_eq!(set.active().iter().map(|c| (c.pair.a, c.pair.b)).collect::<Vec<_>>(), [(0, 1), (1, 2)]);
}

#[test]
fn pairs_that_are_not_listed_end() {
    let mut set = ContactSet::default();
    let all = [seen(0, 1, -1.0), seen(2, 3, -1.0), seen(4, 5, -1.0)];
    update(&mut set, 0.0, &all);
    for missing in 0..3 {
        let rest: Vec<_> = all.iter().enumerate().filter(|&(k, _)| k != missing).map(|(_, &o)| o).collect();
        let mut set = set.clone();
        assert_eq!(update(&mut set, 1.0, &rest).ended, [all[missing].pair]);
    }
}

#[test]
fn constants_stay_frozen_until_the_pair_meets_again() {
    let mut set = ContactSet::default();
    let constants = |set: &ContactSet| set.find(PairId::new(0, 1)).unwrap().constants;
    update(&mut set, 0.0, &[PairDistance { delta_dot: 2.0, ..seen(0, 1, -1e-6) }]);
    let first = constants(&set);
    update(&mut set, 1.0, &[PairDistance { delta_dot: 0.1, ..seen(0, 1, -1e-5) }]);
    assert_eq!(constants(&set), first);
    update(&mut set, 2.0, &[seen(0, 1, 1e-6)]);
    update(&mut set, 3.0, &[PairDistance { delta_dot: 0.1, ..seen(0, 1, -1e-6) }]);
    assert_close(constants(&set).d, 20.0 * first.d, 1e-6);
}

#[test]
fn an_error_leaves_the_set_as_it_was() {
    let mut set = ContactSet::default();
    update(&mut set, 0.0, &[seen(0, 1, -1.0)]);
    let before = set.clone();
    let failed = set.update(1.0, &[seen(0, 2, -1.0)], |_| None, |_, _| Err("no data"));
    assert_eq!((failed, set), (Err("no data"), before));
}

#[test]
fn a_new_segment_renumbers_or_drops_pairs() {
    let mut set = ContactSet::default();
    update(&mut set, 0.0, &[seen(0, 1, -1.0), seen(1, 2, -1.0), seen(3, 4, -1.0)]);
    set.remap(|PairId { a, b }| (a != 1).then(|| PairId::new(9 - a, 9 - b)));
    assert_eq!(set.active().iter().map(|c| (c.pair.a, c.pair.b)).collect::<Vec<_>>(), [(5, 6), (8, 9)]);
    assert!(set.find(PairId::new(6, 5)).is_some());
}
