//! Meshes from files.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::Arc;

use mbs::solid::{Shape, TriangleMesh};
use mbs_model::{MemoryFiles, parse};

/// Corners of a tetrahedron with faces outwards.
const FACES: [[[f32; 3]; 3]; 4] = [
    [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]],
    [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]],
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    [[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]],
];

fn binary_stl(heading: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0; 80];
    bytes[..heading.len()].copy_from_slice(heading);
    bytes.extend(4_u32.to_le_bytes());
    for face in FACES {
        bytes.extend([0; 12]);
        face.iter().flatten().for_each(|coordinate| bytes.extend(coordinate.to_le_bytes()));
        bytes.extend([0; 2]);
    }
    bytes
}

fn text_stl() -> String {
    let mut text = "solid part\n".to_owned();
    for face in FACES {
        text += "facet normal 0 0 0\nouter loop\n";
        for [x, y, z] in face {
            text += &format!("vertex {x} {y} {z}\n");
        }
        text += "endloop\nendfacet\n";
    }
    text + "endsolid part\n"
}

fn mesh(name: &str, content: impl Into<Vec<u8>>) -> Result<Arc<TriangleMesh>, String> {
    let text = format!("[objects.a]\nsolid = {{ shape = \"mesh\", file = \"{name}\", scale = 2, mass = 1 }}\n");
    let model =
        parse(&text, "m.toml", &mut MemoryFiles::new().with(name, content)).map_err(|errors| errors.to_string())?;
    let solid = model.declaration.content.objects[0].solid.clone().unwrap();
    match solid.shape {
        Shape::Mesh { mesh, scale } => {
            assert_eq!(scale, [2.0, 2.0, 2.0].map(mbs::expr::Expr::number));
            Ok(mesh)
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn all_formats_give_the_same_welded_mesh() {
    let obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
    let contents: [(&str, Vec<u8>); 4] = [
        ("a.stl", binary_stl(b"")),
        ("b.STL", binary_stl(b"solid of another program")),
        ("c.stl", text_stl().into()),
        ("d.obj", obj.into()),
    ];
    for (name, content) in contents {
        let mesh = mesh(name, content).unwrap();
        assert_eq!((mesh.vertices().len(), mesh.triangles().len()), (4, 4), "{name}");
        mesh.check_closed().unwrap();
    }
}

#[test]
fn objects_of_the_same_file_share_one_mesh() {
    let visual = "visual = { shape = \"mesh\", file = \"a.stl\" }\n";
    let text = format!("[objects.a]\n{visual}[objects.b]\n{visual}");
    let model = parse(&text, "m.toml", &mut MemoryFiles::new().with("a.stl", binary_stl(b""))).unwrap();
    let meshes: Vec<_> = model.declaration.content.objects.iter().map(|object| &object.visuals[0].shape).collect();
    let [Shape::Mesh { mesh: first, .. }, Shape::Mesh { mesh: second, .. }] = meshes.as_slice() else {
        panic!("no meshes")
    };
    assert!(Arc::ptr_eq(first, second));
    assert_eq!(model.sources.len(), 2);
}

#[test]
fn damaged_meshes_are_errors_that_say_why() {
    let mut cut = binary_stl(b"");
    cut.truncate(200);
    assert!(mesh("a.stl", cut).unwrap_err().contains("asks for 284"));
    let mut infinite = binary_stl(b"");
    infinite[96..100].copy_from_slice(&f32::INFINITY.to_le_bytes());
    assert!(mesh("a.stl", infinite).unwrap_err().contains("finite"));
    let mut enormous = binary_stl(b"");
    enormous[80..84].copy_from_slice(&u32::MAX.to_le_bytes());
    assert!(mesh("a.stl", enormous).unwrap_err().contains("asks for"));
    assert!(mesh("a.stl", "solid x\nfacet normal 0 0\n").unwrap_err().contains("not an STL file"));
    assert!(mesh("a.stl", "solid x\nendsolid x\n").unwrap_err().contains("no triangles"));
    assert!(mesh("a.obj", "v 1 2 3\n").unwrap_err().contains("no triangles"));
    assert!(mesh("a.obj", [0xff, 0xfe, 0x00]).unwrap_err().contains("UTF-8"));
}
