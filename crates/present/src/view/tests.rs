#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::*;

const HALF: f64 = std::f64::consts::FRAC_1_SQRT_2;

fn shape(geometry: Geometry) -> AnimatedShape {
    AnimatedShape {
        name: "s".into(),
        pose: Pose::IDENTITY,
        color: [1.0, 0.5, 0.0, 1.0],
        geometry,
        layer: Layer::Picture,
    }
}

fn body(name: &str, poses: Poses, geometry: Geometry) -> AnimatedBody {
    AnimatedBody { name: name.into(), poses, exists: None, shapes: vec![shape(geometry)] }
}

fn moving(positions: &[[f64; 3]]) -> Poses {
    Poses::Moving(positions.iter().map(|p| Pose { p: *p, ..Pose::IDENTITY }).collect())
}

/// A table that stands still and two balls that move; time 1 s is an event.
fn sample() -> Animation {
    let path = [[0.0; 3], [1.0, 0.0, 0.0], [1.0, 2.0, 0.0], [1.0, 2.0, 3.0]];
    let mut second = body("ball2", moving(&path), Geometry::Sphere { diameter: 0.4 });
    second.exists = Some(vec![false, true, true, true]);
    Animation {
        title: "A & B </script>".into(),
        up: Axis::Z,
        times: vec![0.0, 1.0, 1.0, 2.0],
        bodies: vec![
            body("table", Poses::Static(Pose::IDENTITY), Geometry::Box { lengths: [4.0, 2.0, 0.1] }),
            body("ball1", moving(&path), Geometry::Sphere { diameter: 0.2 }),
            second,
        ],
        details: Details::default(),
        chapters: Vec::new(),
    }
}

fn page_data(html: &str) -> serde_json::Value {
    let start = html.find("id=\"animation\">").unwrap() + "id=\"animation\">".len();
    let end = start + html[start..].find("</script>").unwrap();
    serde_json::from_str(&html[start..end]).unwrap()
}

#[test]
fn page_carries_names_times_and_packed_poses() {
    use base64::{Engine as _, engine::general_purpose::STANDARD};
    let data = page_data(&render_html(&sample()).unwrap());
    assert_eq!(data["title"], "A & B </script>");
    assert_eq!(data["bodies"][2]["name"], "ball2");
    let poses = STANDARD.decode(data["bodies"][1]["poses"].as_str().unwrap()).unwrap();
    assert_eq!(poses.len(), 4 * 7 * 4);
    let last_z = f32::from_le_bytes(poses[4 * (3 * 7 + 2)..][..4].try_into().unwrap());
    assert_eq!(last_z, 3.0);
    assert_eq!(STANDARD.decode(data["bodies"][2]["exists"].as_str().unwrap()).unwrap(), [0, 1, 1, 1]);
}

/// A spring that is deleted, and a contact on a triangle at the last time.
fn with_details() -> Animation {
    let span = |x: f64| Some([[0.0; 3], [x, 0.0, 0.0]]);
    let spring = Track {
        name: "spring".into(),
        kind: TrackKind::SpringDamper,
        spans: vec![span(1.0), span(2.0), span(3.0), None],
        pulls: vec![1.0, 2.0, 3.0, 0.0],
    };
    let axis = Track {
        name: "joint".into(),
        kind: TrackKind::DrivenRevolute,
        spans: vec![Some([[0.0; 3], [0.0, 1.0, 0.0]]); 4],
        pulls: Vec::new(),
    };
    let mark = ContactMark {
        pair: 0,
        at: [1.0, 2.0, 3.0],
        normal: [0.0, 0.0, 1.0],
        force: [0.0, 0.0, 7.0],
        radius: 0.5,
        rim: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
    };
    let curve = Curve { name: "e".into(), unit: "J".into(), values: vec![1.0, f64::NAN, 3.0, 4.0] };
    let details = Details {
        tracks: vec![spring, axis],
        pairs: vec!["table, ball1".into()],
        contacts: vec![Vec::new(), Vec::new(), Vec::new(), vec![mark]],
        curves: vec![curve],
    };
    Animation { details, ..sample() }
}

#[test]
fn page_carries_springs_joints_contacts_and_curves() {
    use base64::{Engine as _, engine::general_purpose::STANDARD};
    let data = page_data(&render_html(&with_details()).unwrap());
    let floats = |value: &serde_json::Value| -> Vec<f32> {
        let bytes = STANDARD.decode(value.as_str().unwrap()).unwrap();
        bytes.chunks_exact(4).map(|four| f32::from_le_bytes(four.try_into().unwrap())).collect()
    };
    let details = &data["details"];
    let [spring, axis] = [&details["tracks"][0], &details["tracks"][1]];
    assert_eq!((&spring["kind"], &axis["kind"]), (&"spring_damper".into(), &"driven_revolute".into()));
    let spans = floats(&spring["spans"]);
    assert_eq!((spans.len(), spans[15], spans[18].is_nan()), (24, 3.0, true));
    assert_eq!(floats(&axis["spans"]), [0.0, 0.0, 0.0, 0.0, 1.0, 0.0], "what never moves is sent once");
    assert_eq!(STANDARD.decode(details["counts"].as_str().unwrap()).unwrap()[12], 1);
    let contact = floats(&details["contacts"]);
    assert_eq!(contact[..12], [0.0, 1.0, 2.0, 3.0, 0.0, 0.0, 1.0, 0.0, 0.0, 7.0, 0.5, 3.0]);
    assert_eq!(contact.len(), 12 + 9);
    assert_eq!(floats(&details["curves"][0]["values"])[2..], [3.0, 4.0]);
}

#[test]
fn impossible_details_are_refused() {
    let broken = |change: fn(&mut Details)| {
        let mut animation = with_details();
        change(&mut animation.details);
        render_html(&animation).unwrap_err().to_string()
    };
    assert!(broken(|details| details.tracks[0].spans.truncate(3)).contains("3 spans"));
    assert!(broken(|details| details.tracks[0].pulls.truncate(3)).contains("3 forces"));
    assert!(broken(|details| details.tracks[0].spans[0] = Some([[f64::NAN; 3]; 2])).contains("\"spring\""));
    assert!(broken(|details| details.contacts.truncate(3)).contains("3 lists"));
    assert!(broken(|details| details.contacts[3][0].pair = 1).contains("names the pair 1"));
    assert!(broken(|details| details.contacts[3][0].rim[1][1] = f64::INFINITY).contains("finite"));
    assert!(broken(|details| details.curves[0].values.truncate(3)).contains("3 values"));
}

#[test]
fn equal_forms_share_one_mesh_whatever_their_size() {
    let data = page_data(&render_html(&sample()).unwrap());
    assert_eq!(data["meshes"].as_array().unwrap().len(), 3, "frame, box and sphere");
    assert_eq!(data["bodies"][1]["parts"][0]["mesh"], data["bodies"][2]["parts"][0]["mesh"]);
}

#[test]
fn page_loads_nothing_and_names_the_licence_of_what_it_contains() {
    let html = render_html(&sample()).unwrap();
    assert!(html.contains("default-src 'none'"), "the page must forbid itself the network");
    assert!(html.contains("three.js authors") && html.contains("Permission is hereby granted"));
    // Only the page of a live view asks its own server: the page allows itself no other.
    assert!(html.contains("connect-src 'self'"));
    let asked: Vec<&str> = html.split("fetch(").skip(1).filter_map(|rest| rest.split(',').next()).collect();
    assert_eq!(asked, ["this.live.address", "this.live.cancel"]);
    for sign in ["src=", "<link", "@import", "url(", "https://", "XMLHttpRequest"] {
        assert!(!html.contains(sign), "the page contains {sign}");
    }
    let namespaces = html.matches("http://www.w3.org/").count();
    assert_eq!(html.matches("http://").count(), namespaces);
}

#[test]
fn title_is_escaped_and_cannot_end_the_script() {
    let html = render_html(&sample()).unwrap();
    assert!(html.contains("<title>A &amp; B &lt;/script&gt;</title>"));
    assert_eq!(html.matches("<script").count(), html.matches("</script>").count());
    assert!(!html.contains("@@"), "a placeholder is left");
}

fn node<'a>(document: &'a gltf::Document, name: &str) -> gltf::Node<'a> {
    document.nodes().find(|n| n.name() == Some(name)).unwrap()
}

#[test]
fn glb_has_a_node_per_body_and_shape_and_shares_meshes() {
    let file = gltf::Gltf::from_slice(&render_glb(&sample()).unwrap()).unwrap();
    assert_eq!(file.nodes().count(), 1 + 3 + 3);
    assert_eq!(file.meshes().count(), 2);
    assert_eq!(file.materials().count(), 1);
    let shape = node(&file, "table").children().next().unwrap();
    assert_eq!(shape.transform().decomposed().2, [4.0, 2.0, 0.1]);
    let bounds = shape.mesh().unwrap().primitives().next().unwrap().bounding_box();
    assert_eq!((bounds.min, bounds.max), ([-0.5; 3], [0.5; 3]));
}

#[test]
fn glb_turns_z_up_into_y_up() {
    let file = gltf::Gltf::from_slice(&render_glb(&sample()).unwrap()).unwrap();
    let [x, y, z, w] = node(&file, "world").transform().decomposed().1;
    assert_eq!([x, y, z, w], [-HALF as f32, 0.0, 0.0, HALF as f32]);
    let upright = Animation { up: Axis::Y, ..sample() };
    let file = gltf::Gltf::from_slice(&render_glb(&upright).unwrap()).unwrap();
    assert_eq!(node(&file, "world").transform().decomposed().1, [0.0, 0.0, 0.0, 1.0]);
}

#[test]
fn glb_animation_has_strictly_ascending_times_and_the_poses_after_events() {
    let file = gltf::Gltf::from_slice(&render_glb(&sample()).unwrap()).unwrap();
    let animation = file.animations().next().unwrap();
    assert_eq!(animation.channels().count(), 2 + 2 + 1, "two moving bodies, one of them appears");
    let channel = animation.channels().next().unwrap();
    assert_eq!(channel.target().node().name(), Some("ball1"));
    let reader = channel.reader(|_| file.blob.as_deref());
    assert_eq!(reader.read_inputs().unwrap().collect::<Vec<_>>(), [0.0, 1.0, 2.0]);
    let gltf::animation::util::ReadOutputs::Translations(positions) = reader.read_outputs().unwrap() else {
        panic!("the first channel is not a translation");
    };
    assert_eq!(positions.collect::<Vec<_>>(), [[0.0, 0.0, 0.0], [1.0, 2.0, 0.0], [1.0, 2.0, 3.0]]);
}

#[test]
fn glb_of_a_still_scene_has_no_animation() {
    let mut animation = sample();
    animation.bodies.truncate(1);
    let file = gltf::Gltf::from_slice(&render_glb(&animation).unwrap()).unwrap();
    assert_eq!(file.animations().count(), 0);
}

#[test]
fn same_animation_gives_same_bytes() {
    assert_eq!(render_glb(&sample()).unwrap(), render_glb(&sample()).unwrap());
    assert_eq!(render_html(&sample()).unwrap(), render_html(&sample()).unwrap());
}

#[test]
fn quaternions_are_continuous_although_the_input_flips_their_sign() {
    let flipped = Pose { p: [0.0; 3], q: [-HALF, 0.0, -HALF, 0.0] };
    let straight = Pose { p: [0.0; 3], q: [HALF, 0.0, HALF, 0.0] };
    let poses = Poses::Moving(vec![straight, flipped]);
    let cleaned = motion::clean(&body("b", poses, Geometry::Sphere { diameter: 1.0 }));
    assert!((cleaned[0].q[0] - cleaned[1].q[0]).abs() < 1e-12);
}

#[test]
fn poses_may_be_undefined_while_a_body_does_not_exist() {
    let mut animation = sample();
    let Poses::Moving(poses) = &mut animation.bodies[2].poses else { panic!("ball2 moves") };
    poses[0] = Pose { p: [f64::NAN; 3], q: [0.0; 4] };
    assert!(!serde_json::to_string(&page_data(&render_html(&animation).unwrap())).unwrap().contains("null"));
    animation.bodies[2].exists = None;
    assert!(matches!(render_html(&animation), Err(ViewError::Pose { time: Some(0.0), .. })));
}

/// Message for `sample` after `spoil` has changed it.
fn refusal(spoil: impl Fn(&mut Animation)) -> String {
    let mut animation = sample();
    spoil(&mut animation);
    let error = render_html(&animation).unwrap_err();
    assert_eq!(render_glb(&animation).unwrap_err(), error);
    error.to_string()
}

#[test]
fn inconsistent_animations_are_refused_by_name_and_value() {
    assert!(refusal(|a| a.up = Axis::X).contains("up axis"));
    assert!(refusal(|a| a.bodies.clear()).contains("no bodies"));
    assert!(refusal(|a| a.times.clear()).contains("no times"));
    assert!(refusal(|a| a.times[3] = 0.5).contains("time 3 of the animation is 0.5 s"));
    assert!(refusal(|a| a.bodies[1].poses = moving(&[[0.0; 3]])).contains("\"ball1\" has 1 poses"));
    assert!(refusal(|a| a.bodies[2].exists = Some(vec![true])).contains("1 existence flags"));
    let long = Poses::Static(Pose { p: [0.0; 3], q: [2.0, 0.0, 0.0, 0.0] });
    assert!(refusal(|a| a.bodies[0].poses = long.clone()).contains("of length 2"));
}

#[test]
fn impossible_shapes_are_refused_by_name_and_value() {
    let with = |geometry: Geometry| refusal(|a| a.bodies[1].shapes[0].geometry = geometry.clone());
    assert!(with(Geometry::Sphere { diameter: -1.0 }).contains("\"s\" of the body \"ball1\" has a diameter of -1 m"));
    let tube = Geometry::Cylinder { axis: Axis::X, diameter: 1.0, length: 1.0, inner_diameter: 1.0 };
    assert!(with(tube).contains("smaller than the outer one"));
    let point = Geometry::Cone { axis: Axis::X, diameter: 0.0, top_diameter: 0.0, length: 1.0 };
    assert!(with(point).contains("larger diameter"));
    let hole = Geometry::Mesh { vertices: vec![[0.0; 3]; 3], triangles: vec![[0, 1, 3]] };
    assert!(with(hole).contains("vertex 3, but the mesh has 3"));
    assert!(refusal(|a| a.bodies[0].shapes[0].color[1] = 255.0).contains("between 0 and 1"));
}

#[test]
fn shapes_that_collide_are_in_the_page_but_not_in_files() {
    let contact = AnimatedShape { layer: Layer::Contact, ..shape(Geometry::Box { lengths: [0.1, 0.2, 0.3] }) };
    let picture = shape(Geometry::Sphere { diameter: 0.3 });
    let body = |shapes| AnimatedBody { name: "b".into(), poses: Poses::Static(Pose::IDENTITY), exists: None, shapes };
    let animation = |shapes| Animation {
        title: "t".into(),
        up: Axis::Z,
        times: vec![0.0],
        bodies: vec![body(shapes)],
        details: Details::default(),
        chapters: Vec::new(),
    };
    let (both, one) = (animation(vec![picture.clone(), contact]), animation(vec![picture]));
    assert_eq!(render_glb(&both).unwrap(), render_glb(&one).unwrap());
    assert!(render_html(&both).unwrap().contains("\"contact\":true"));
    assert!(!render_html(&one).unwrap().contains("\"contact\":true"));
}
