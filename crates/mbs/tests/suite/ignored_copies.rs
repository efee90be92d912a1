//! What does not collide by name: an instance with `count` stands for all its copies.
#![allow(clippy::unwrap_used)]

use mbs::declaration::builder::{AssemblyBuilder, Members, ModelBuilder, instance, object, sphere};
use mbs::elaboration::elaborate;

/// Paths of what the ball ignores, among `count` copies `a[i]` with one member `part`; the complaint if there is one.
fn ignored(reference: &str, count: i32) -> Result<Vec<String>, String> {
    let solid = || sphere(0.1).material("Steel").collides();
    let model = ModelBuilder::new("Copies")
        .assembly(AssemblyBuilder::new("Part").object(object("part").fixed().solid(solid())))
        .instance(instance("a", "Part").count(count).r((1, 0, 0)))
        .instance(instance("ab", "Part").count(2).r((2, 0, 0)))
        .object(object("ball").free().r([0.0, 0.0, 1.0]).solid(solid().ignores(reference)))
        .build()
        .unwrap();
    let scene = elaborate(&model, &[]).map_err(|errors| format!("{errors:?}"))?;
    let paths = scene.ignored_pairs.iter().map(|[_, other]| scene.objects[*other].path.clone());
    Ok(paths.filter(|path| path.ends_with(".part")).collect())
}

#[test]
fn an_ignored_instance_with_a_count_stands_for_all_its_copies() {
    for all in ["a", "a[*]"] {
        assert_eq!(ignored(all, 3).unwrap(), ["a[1].part", "a[2].part", "a[3].part"], "{all}");
        assert_eq!(ignored(all, 0).unwrap(), Vec::<String>::new(), "{all}");
    }
    assert_eq!(ignored("a[2]", 3).unwrap(), ["a[2].part"]);
}

#[test]
fn all_copies_of_what_has_none_come_with_the_nearest_name() {
    let error_message = ignored("b[*]", 1).unwrap_err();
    assert!(error_message.contains("there is no instance `b` with `count`"), "{error_message}");
    assert!(ignored("ball[*]", 1).unwrap_err().contains("there is no instance `ball` with `count`"));
}
