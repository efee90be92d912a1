use super::*;
use std::sync::Arc;

fn properties(mesh: &TriangleMesh) -> VolumeProperties {
    mesh.volume_properties([1.0; 3]).unwrap()
}

/// The mesh moved by an offset.
fn moved(mesh: &TriangleMesh, offset: [f64; 3]) -> TriangleMesh {
    let vertices = mesh.vertices().iter().map(|v| std::array::from_fn(|i| v[i] + offset[i])).collect();
    TriangleMesh::new(vertices, mesh.triangles().to_vec()).unwrap()
}

fn turned(mesh: &TriangleMesh, which: impl Fn(usize) -> bool) -> TriangleMesh {
    let turn = |(k, &[a, b, c]): (usize, &[u32; 3])| if which(k) { [a, c, b] } else { [a, b, c] };
    TriangleMesh::new(mesh.vertices().to_vec(), mesh.triangles().iter().enumerate().map(turn).collect()).unwrap()
}

/// Both surfaces as one mesh.
fn union(a: &TriangleMesh, b: &TriangleMesh) -> TriangleMesh {
    let shift = a.vertices().len() as u32;
    let vertices = [a.vertices(), b.vertices()].concat();
    let triangles = a.triangles().iter().copied().chain(b.triangles().iter().map(|t| t.map(|i| i + shift)));
    TriangleMesh::new(vertices, triangles.collect()).unwrap()
}

#[test]
fn the_mesh_of_a_box_is_the_box() {
    let lengths = [0.3, 0.5, 1.1];
    let exact = Shape::Box { lengths }.volume_properties().unwrap();
    assert_same(&properties(&box_mesh(lengths)), &exact, 1e-14, "box");
    let scaled = Shape::Mesh { mesh: Arc::new(box_mesh([1.0; 3])), scale: lengths };
    assert_same(&scaled.volume_properties().unwrap(), &exact, 1e-14, "scaled cube");
}

#[test]
fn a_distant_mesh_keeps_its_inertia() {
    let far = properties(&moved(&box_mesh([0.3, 0.5, 1.1]), [1e4, -2e4, 3e4]));
    let near = properties(&box_mesh([0.3, 0.5, 1.1]));
    assert!((far.second_moments - near.second_moments).amax() < 1e-10 * near.second_moments.amax());
    assert!((far.center - Vector3::new(1e4, -2e4, 3e4)).norm() < 1e-10);
}

#[test]
fn a_mesh_scaled_unevenly_equals_scaled_vertices() {
    let mesh = moved(&box_mesh([0.3, 0.5, 1.1]), [0.1, 0.2, -0.4]);
    let scale = [2.0, 0.5, 3.0];
    let vertices = mesh.vertices().iter().map(|v| std::array::from_fn(|i| v[i] * scale[i])).collect();
    let direct = TriangleMesh::new(vertices, mesh.triangles().to_vec()).unwrap();
    assert_same(&mesh.volume_properties(scale).unwrap(), &properties(&direct), 1e-13, "scaled");
}

#[test]
fn an_inside_out_mesh_has_the_same_solid() {
    let mesh = box_mesh([0.3, 0.5, 1.1]);
    let inverted = turned(&mesh, |_| true);
    assert!(inverted.signed_volume() < 0.0 && mesh.signed_volume() > 0.0);
    assert_same(&properties(&inverted), &properties(&mesh), 1e-15, "inverted");
    assert!(inverted.oriented().unwrap().signed_volume() > 0.0);
}

#[test]
fn a_cavity_is_subtracted() {
    let hollow = union(&box_mesh([1.0; 3]), &turned(&box_mesh([0.5; 3]), |_| true));
    assert_near(properties(&hollow).volume, 0.875, 1e-15, "volume");
    assert_near(properties(&hollow.oriented().unwrap()).volume, 0.875, 1e-15, "volume after orientation");
}

#[test]
fn triangles_that_disagree_are_found_and_can_be_turned() {
    let mixed = turned(&box_mesh([1.0, 2.0, 3.0]), |k| k == 3 || k == 7);
    let error = mixed.volume_properties([1.0; 3]).unwrap_err();
    assert!(matches!(error, SolidError::InconsistentMesh { edges: 6, .. }), "{error}");
    assert_near(properties(&mixed.oriented().unwrap()).volume, 6.0, 1e-14, "volume");
}

#[test]
fn holes_are_counted_and_located() {
    let mesh = box_mesh([2.0; 3]);
    let open = TriangleMesh::new(mesh.vertices().to_vec(), mesh.triangles()[1..].to_vec()).unwrap();
    let error = open.volume_properties([1.0; 3]).unwrap_err();
    let SolidError::OpenMesh { edges, at } = error else { panic!("{error}") };
    assert_eq!((edges, at[0]), (3, -1.0));
    assert!(open.oriented().is_err());
}

#[test]
fn cubes_that_share_an_edge_are_a_solid() {
    let cube = box_mesh([1.0; 3]);
    let soup: Vec<_> = union(&cube, &moved(&cube, [1.0, 1.0, 0.0])).soup();
    let welded = TriangleMesh::from_soup(&soup, 1e-9).unwrap();
    assert_eq!(welded.vertices().len(), 14);
    assert_near(properties(&welded).volume, 2.0, 1e-14, "volume");
}

impl TriangleMesh {
    fn soup(&self) -> Vec<[[f64; 3]; 3]> {
        self.triangles().iter().map(|t| t.map(|index| self.vertices()[index as usize])).collect()
    }
}

#[test]
fn welding_joins_rounded_vertices_and_drops_slivers() {
    let mut soup = box_mesh([0.3, 0.5, 1.1]).soup();
    for (k, corner) in soup.iter_mut().flatten().enumerate() {
        corner[k % 3] += 1e-8 * (k % 5) as f64;
    }
    soup.push([[0.15, 0.25, 0.55], [0.15, 0.25, 0.55 + 1e-9], [0.0; 3]]);
    let mesh = TriangleMesh::from_soup(&soup, 1e-6).unwrap();
    assert_eq!((mesh.vertices().len(), mesh.triangles().len()), (9, 12));
    assert_near(properties(&mesh).volume, 0.165, 1e-6, "volume");
}

#[test]
fn triangles_without_area_change_nothing() {
    let mesh = box_mesh([1.0; 3]);
    let (mut vertices, mut triangles) = (mesh.vertices().to_vec(), mesh.triangles().to_vec());
    let [a, b, c] = triangles.remove(0);
    let middle: [f64; 3] = std::array::from_fn(|i| (vertices[a as usize][i] + vertices[b as usize][i]) / 2.0);
    vertices.push(middle);
    triangles.extend([[a, 8, c], [8, b, c], [a, b, 8]]);
    let split = TriangleMesh::new(vertices, triangles).unwrap();
    assert_same(&properties(&split), &properties(&mesh), 1e-14, "split edge");
}

#[test]
fn what_is_no_mesh_is_refused() {
    let vertex = [0.0; 3];
    assert_eq!(TriangleMesh::new(vec![vertex; 3], vec![]), Err(SolidError::EmptyMesh));
    assert_eq!(TriangleMesh::new(vec![[f64::NAN; 3]], vec![[0, 0, 0]]), Err(SolidError::VertexNotFinite { vertex: 0 }));
    let error = TriangleMesh::new(vec![vertex; 3], vec![[0, 1, 3]]).unwrap_err();
    assert_eq!(error.to_string(), "triangle 0 of the mesh uses vertex 3, but there are only 3 (counted from 0)");
    let sheet =
        TriangleMesh::new(vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], vec![[0, 1, 2], [0, 2, 1]]).unwrap();
    assert!(matches!(sheet.volume_properties([1.0; 3]), Err(SolidError::FlatMesh { .. })));
    assert_eq!(TriangleMesh::from_soup(&[[vertex; 3]], 1e-6), Err(SolidError::EmptyMesh));
    let tiny_and_far = [[[1e12, 0.0, 0.0], [1e12, 1e-9, 0.0], [1e12, 0.0, 1e-9]]];
    assert!(TriangleMesh::from_soup(&tiny_and_far, 0.0).is_ok());
}
