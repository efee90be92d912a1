//! Whether every possible contact has a law.

use std::collections::{BTreeMap, BTreeSet};

use super::{CollisionShape, Topology, TopologyError};
use crate::contact::PairId;
use crate::expr::number_text;
use crate::material::{Damping, MaterialPair};
use crate::scene::{ObjectId, Scene};

/// Most pairs of shapes whose reach is compared for a pair of materials.
const MOST_REACHES: usize = 1_000_000;

/// Most shapes that meet nothing for which a reason is sought.
const MOST_ALONE: usize = 100;

/// Checks one pair of shapes of every pair of materials that may touch. Returns remarks on pairs of materials whose
/// properties are a mean, or whose rolling resistance has no effect, and on what collides with nothing because of a
/// joint.
///
/// # Errors
/// A pair of materials that may touch and has no contact properties; names an object of each.
pub(super) fn check_contact_pairs(scene: &Scene, topology: &Topology) -> Result<Vec<String>, TopologyError> {
    let mut remarks: Vec<String> = kept_from_all_by_a_joint(scene, topology).into_iter().collect();
    for [a, b] in pairs_of_materials(topology) {
        let [path_a, path_b] = [a, b].map(|shape| &scene.objects[shape.object].path);
        match scene.materials.pair(&a.material, &b.material) {
            Ok(found) if found.is_mean => remarks.push(format!(
                "contact of `{path_a}` with `{path_b}`: no contact properties are declared for the materials `{}` and `{}`; \
                 taken as the mean of each with itself ({}, mu_k {}, mu_r {})",
                a.material,
                b.material,
                damping(&found.pair),
                rounded(found.pair.mu_k),
                rounded(found.pair.mu_r)
            )),
            Ok(_) => remarks.extend(without_rolling_resistance(scene, topology, [&a.material, &b.material])),
            Err(error) => {
                let materials = &scene.materials;
                let is_unknown = |shape: &&CollisionShape| materials.material(&shape.material).is_err();
                let lacks_own = |shape: &&CollisionShape| materials.pair(&shape.material, &shape.material).is_err();
                let wrong = [a, b].into_iter().find(is_unknown).or([b, a].into_iter().find(lacks_own)).unwrap_or(b);
                let location = scene.objects[wrong.object].location.of("material");
                let mut message = format!("contact of `{path_a}` with `{path_b}`: {error}");
                if !is_unknown(&a) && !is_unknown(&b) && a.object != b.object {
                    message += &format!(
                        "; if these two never meet, let one ignore the other: `ignores = [\"{path_b}\"]` in the solid of `{path_a}`, or put them in a `group` that does not collide with itself"
                    );
                }
                return Err(TopologyError { location, message });
            }
        }
    }
    Ok(remarks)
}

/// What is said of an object that moves and collides, and would meet something but for a joint.
fn kept_from_all_by_a_joint(scene: &Scene, topology: &Topology) -> Option<String> {
    // It may meet what comes later.
    if scene.objects.iter().any(|(id, _)| !scene.exists(id)) {
        return None;
    }
    let node_of = |object: ObjectId| topology.placements[object.index()].node;
    let joints = || scene.joints.iter().filter(|(id, joint)| !joint.collision && scene.joint_exists(*id));
    let reason = |shape: &CollisionShape| {
        joints().find_map(|(_, joint)| {
            let other = match [joint.from, joint.to].map(node_of) {
                [from, to] if to == shape.node => from,
                [from, to] if from == shape.node => to,
                _ => return None,
            };
            let met = topology.shapes.iter().find(|met| met.node == other && met.node != shape.node)?;
            Some((&joint.path, &scene.objects[met.object].path))
        })
    };
    let alone = (0..topology.shapes.len() as u32)
        .filter(|&k| topology.collision_filter.moves(k) && !topology.collision_filter.may_strike(k))
        .map(|k| &topology.shapes[k as usize])
        .take(MOST_ALONE);
    let mut found = alone.filter_map(|shape| Some((shape.object, reason(shape)?)));
    let (object, (joint, met)) = found.next()?;
    let others =
        found.map(|(other, _)| other.index()).filter(|other| *other != object.index()).collect::<BTreeSet<_>>().len();
    let others = match others {
        0 => String::new(),
        1 => " (another object is kept from all as well)".to_owned(),
        count => format!(" ({count} other objects are kept from all as well)"),
    };
    Some(format!(
        "`{}` collides with nothing: the joint `{joint}` connects it with the body of `{met}`, and bodies that a joint connects do \
         not collide; `collides = true` in the joint lets them{others}",
        scene.objects[object].path
    ))
}

/// What is said of rolling resistance that is declared and that cylinders and cones do not feel on faces.
fn without_rolling_resistance(scene: &Scene, topology: &Topology, [a, b]: [&str; 2]) -> Option<String> {
    if !scene.materials.declares_mu_r(a, b) {
        return None;
    }
    let of = |material: &str| {
        (0..topology.shapes.len() as u32)
            .filter(|&shape| topology.shapes[shape as usize].material == material)
            .collect()
    };
    let [of_a, of_b]: [Vec<u32>; 2] = [a, b].map(of);
    let is_round = |shape: u32| topology.shapes[shape as usize].shape.frustum().is_some();
    let rolls = |list: &[u32]| -> Vec<u32> { list.iter().copied().filter(|&shape| is_round(shape)).collect() };
    let meets = |rolling: Vec<u32>, others: &[u32]| {
        let faces = others.iter().copied().filter(|&shape| !is_round(shape));
        let faces: Vec<u32> = faces.collect();
        let found = first_pair(topology, &rolling, &faces)?;
        let law = topology.contact_law(PairId::new(found[0], found[1])).ok()?;
        let shapes = found.map(|shape| &topology.shapes[shape as usize]);
        (law.fields.is_some() && !law.is_hinged()).then(|| shapes.map(|shape| &scene.objects[shape.object].path))
    };
    let [wheel, ground] = meets(rolls(&of_a), &of_b).or_else(|| meets(rolls(&of_b), &of_a))?;
    Some(format!(
        "`mu_r` of `{a}` and `{b}` has no effect where `{wheel}` rolls on `{ground}`: on the elastic law, cylinders and cones roll on faces \
         without resistance; give the joint of the wheel a `friction`, or let it rest on contact hinges"
    ))
}

/// What the damping of a pair follows from.
fn damping(pair: &MaterialPair) -> String {
    match pair.damping {
        None => format!("cor {}", rounded(pair.cor)),
        Some(Damping::Coefficient(d)) => format!("d {} s/m", number_text(rounded(d))),
        Some(Damping::Relaxation(time)) => format!("relaxation {} s", number_text(time)),
    }
}

/// A mean without the digits that are rounding errors.
fn rounded(value: f64) -> f64 {
    (value * 1e9).round() / 1e9
}

/// Whether two materials of colliding shapes have no contact properties with each other, whether they may touch or not.
pub(super) fn has_unknown_pairs(scene: &Scene, topology: &Topology) -> bool {
    let materials: BTreeSet<&str> = topology.shapes.iter().map(|shape| shape.material.as_str()).collect();
    let is_unknown = |a: &&str| materials.iter().any(|b| scene.materials.pair(a, b).is_err());
    materials.iter().any(is_unknown)
}

/// One pair of shapes that may touch for every pair of materials that may, in the order of their names.
fn pairs_of_materials(topology: &Topology) -> Vec<[&CollisionShape; 2]> {
    let mut by_material: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    for (number, shape) in topology.shapes.iter().enumerate() {
        by_material.entry(&shape.material).or_default().push(number as u32);
    }
    let materials: Vec<&Vec<u32>> = by_material.values().collect();
    let mut found = Vec::new();
    for (k, first) in materials.iter().enumerate() {
        for second in &materials[k..] {
            if let Some([a, b]) = first_pair(topology, first, second) {
                found.push([&topology.shapes[a as usize], &topology.shapes[b as usize]]);
            }
        }
    }
    found
}

/// The first pair that may touch, as far as that is known. One of the two moves, so that the pieces of a large terrain
/// are not compared with each other.
fn first_pair(topology: &Topology, first: &[u32], second: &[u32]) -> Option<[u32; 2]> {
    let filter = &topology.collision_filter;
    let movers: Vec<u32> = second.iter().copied().filter(|&j| filter.moves(j)).collect();
    let mut tested = 0;
    let mut may_reach = |i: u32, j: u32| {
        tested += 1;
        tested > MOST_REACHES || topology.may_reach(i, j)
    };
    let pair = |&i: &u32| {
        let others = if filter.moves(i) { second } else { &movers };
        others.iter().find(|&&j| i != j && filter.may_meet(i, j) && may_reach(i, j)).map(|&j| [i, j])
    };
    first.iter().find_map(pair)
}
