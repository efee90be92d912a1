//! Meshes of a description: found, read, and put beside the model file.

use std::collections::{BTreeMap, HashMap};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use mbs::collision::ConvexShape;
use mbs::solid::{Shape, TriangleMesh};
use mbs_model::Files;
use nalgebra::Point3;

use crate::collada;
use crate::math::Pose;
use crate::names::identifier;

/// Folder of the meshes beside the model file.
const FOLDER: &str = "meshes";

/// Most vertices of a mesh whose hull is tried here; with more of them that takes longer than reading everything else.
const MOST_TRIED: usize = 5000;

/// Meshes that were requested.
pub(crate) struct Meshes<'a> {
    files: &'a mut dyn Files,
    /// Name beside the model file, or why there is none, by path.
    known: HashMap<PathBuf, Result<String, String>>,
    /// Whether contacts are imported: otherwise hulls are not needed.
    with_contacts: bool,
    /// How meshes with a scale collide, or why they do not.
    hulls: HashMap<(String, [u64; 3]), Result<Hull, String>>,
    /// What is written.
    pub content: BTreeMap<PathBuf, Vec<u8>>,
}

/// How the convex hull of a mesh collides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hull {
    /// As every mesh does.
    Smoothed,
    /// With sharp edges: rounding errors leave it without a smoothed hull.
    Sharp,
}

impl<'a> Meshes<'a> {
    pub fn new(files: &'a mut dyn Files, with_contacts: bool) -> Self {
        Self { files, with_contacts, known: HashMap::new(), hulls: HashMap::new(), content: BTreeMap::new() }
    }

    /// The first of several places at which a file is.
    ///
    /// # Errors
    /// None of them can be read: why the last one cannot.
    pub fn first(&mut self, candidates: &[PathBuf]) -> Result<String, String> {
        let mut cause = "does not exist".to_owned();
        for path in candidates {
            match self.take(path) {
                Ok(name) => return Ok(name),
                Err(error) if error == "does not exist" => {}
                Err(error) => cause = error,
            }
        }
        Err(cause)
    }

    /// Takes a mesh over; its path beside the model file.
    ///
    /// # Errors
    /// Why it cannot be, as the end of a sentence.
    pub fn take(&mut self, path: &Path) -> Result<String, String> {
        if let Some(known) = self.known.get(path) {
            return known.clone();
        }
        let taken = self.read(path);
        self.known.insert(path.to_path_buf(), taken.clone());
        taken
    }

    fn read(&mut self, path: &Path) -> Result<String, String> {
        let bytes = self.files.read(path)?;
        let extension = path.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default();
        let (bytes, extension) = match extension.as_str() {
            "dae" => (collada::read(&bytes)?, "obj"),
            "obj" => (bytes, "obj"),
            "stl" => (bytes, "stl"),
            "msh" => (msh(&bytes)?, "obj"),
            "" => return Err("has no ending that tells its format".to_owned()),
            other => return Err(format!("is a `.{other}` file; `.stl`, `.obj`, `.dae` and `.msh` can be read")),
        };
        mbs_model::read_mesh(Path::new(&format!("mesh.{extension}")), &bytes)?;
        Ok(self.keep(path, extension, bytes))
    }

    /// Puts a file beside the model file under a name that is free.
    fn keep(&mut self, path: &Path, extension: &str, bytes: Vec<u8>) -> String {
        let stem = identifier(&path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default());
        let mut name = format!("{FOLDER}/{stem}.{extension}");
        let mut number = 1;
        // Names that differ in case only are one on some systems.
        while self.content.keys().any(|taken| taken.to_string_lossy().eq_ignore_ascii_case(&name)) {
            number += 1;
            name = format!("{FOLDER}/{stem}_{number}.{extension}");
        }
        self.content.insert(PathBuf::from(&name), bytes);
        name
    }

    /// A mesh that was taken over with a scale that does not mirror it: itself, or a mirrored copy.
    ///
    /// # Errors
    /// What is wrong with the mesh.
    pub fn upright(&mut self, name: &str, scale: [f64; 3]) -> Result<(String, [f64; 3]), String> {
        let signs = scale.map(f64::signum);
        if signs == [1.0; 3] {
            return Ok((name.to_owned(), scale));
        }
        let marks: String =
            ["x", "y", "z"].iter().zip(signs).filter(|(_, sign)| *sign < 0.0).map(|(axis, _)| *axis).collect();
        let path = Path::new(name);
        let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let copy = format!("{FOLDER}/{stem}_mirrored_{marks}.obj");
        if !self.content.contains_key(Path::new(&copy)) {
            let bytes = self.content.get(path).ok_or("does not exist")?;
            let mut triangles = mbs_model::read_triangles(path, bytes)?;
            for triangle in &mut triangles {
                *triangle = triangle.map(|corner| [0, 1, 2].map(|axis| corner[axis] * signs[axis]));
                if signs.iter().product::<f64>() < 0.0 {
                    triangle.swap(1, 2);
                }
            }
            let mesh = TriangleMesh::from_soup(&triangles, 0.0).map_err(|error| error.to_string())?;
            self.content.insert(PathBuf::from(&copy), obj(&mesh));
        }
        Ok((copy, scale.map(f64::abs)))
    }

    /// A moved copy of a mesh that was taken over.
    ///
    /// # Errors
    /// What is wrong with the mesh.
    pub fn moved(&mut self, name: &str, pose: &Pose) -> Result<String, String> {
        let path = Path::new(name);
        let bytes = self.content.get(path).ok_or("does not exist")?;
        let mut triangles = mbs_model::read_triangles(path, bytes)?;
        for corner in triangles.iter_mut().flatten() {
            *corner = (pose * Point3::from(*corner)).coords.into();
        }
        let mesh = TriangleMesh::from_soup(&triangles, 0.0).map_err(|error| error.to_string())?;
        let content = obj(&mesh);
        let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let stem = format!("{stem}_moved");
        // Geoms that share a mesh share the copy.
        let known = self.content.iter().find(|(name, known)| {
            name.file_stem().is_some_and(|name| name.to_string_lossy().starts_with(&stem)) && **known == content
        });
        Ok(match known {
            Some((name, _)) => name.to_string_lossy().into_owned(),
            None => self.add(&stem, content),
        })
    }

    /// How a mesh that was taken over collides.
    ///
    /// # Errors
    /// Why it does not, as a sentence without its end.
    pub fn colliding(&mut self, name: &str, scale: [f64; 3]) -> Result<Hull, String> {
        if !self.with_contacts {
            return Ok(Hull::Smoothed);
        }
        let key = (name.to_owned(), scale.map(f64::to_bits));
        if let Some(known) = self.hulls.get(&key) {
            return known.clone();
        }
        let found = self.hull(Path::new(name), scale);
        self.hulls.insert(key, found.clone());
        found
    }

    fn hull(&self, path: &Path, scale: [f64; 3]) -> Result<Hull, String> {
        let bytes = self.content.get(path).ok_or("the mesh does not exist")?;
        let mesh = Arc::new(mbs_model::read_mesh(path, bytes)?);
        if mesh.vertices().len() > MOST_TRIED {
            return Ok(Hull::Smoothed);
        }
        let shape = Shape::Mesh { mesh, scale };
        let Err(cause) = ConvexShape::pieces(&shape, ConvexShape::default_smoothing(&shape)) else {
            return Ok(Hull::Smoothed);
        };
        let sharp = ConvexShape::pieces(&shape, 0.0);
        sharp.map(|_| Hull::Sharp).map_err(|_| cause.to_string())
    }

    /// Adds a mesh that was made here.
    pub fn add(&mut self, name: &str, obj: Vec<u8>) -> String {
        self.keep(Path::new(name), "obj", obj)
    }
}

/// A mesh as OBJ file.
pub(crate) fn obj(mesh: &TriangleMesh) -> Vec<u8> {
    let mut text = String::new();
    for [x, y, z] in mesh.vertices() {
        text += &format!("v {x:?} {y:?} {z:?}\n");
    }
    for [a, b, c] in mesh.triangles() {
        text += &format!("f {} {} {}\n", a + 1, b + 1, c + 1);
    }
    text.into_bytes()
}

/// A mesh in MuJoCo's own format as an OBJ file: numbers of vertices, normals, texture coordinates and faces, then
/// these.
///
/// # Errors
/// A length that does not fit, faces of vertices that do not exist.
fn msh(bytes: &[u8]) -> Result<Vec<u8>, String> {
    let words: Vec<[u8; 4]> = bytes.chunks_exact(4).filter_map(|word| word.try_into().ok()).collect();
    let count = |index: usize| {
        let count = words.get(index).map(|word| i32::from_le_bytes(*word));
        count.and_then(|count| usize::try_from(count).ok()).ok_or("is not an MSH file: its heading is damaged")
    };
    let [vertices, normals, texels, faces] = [count(0)?, count(1)?, count(2)?, count(3)?];
    let sizes = [(3, vertices), (3, normals), (2, texels), (3, faces)].map(|(each, count)| count.checked_mul(each));
    let [Some(vertices), Some(normals), Some(texels), Some(faces)] = sizes else {
        return Err("is not an MSH file: its heading is damaged".to_owned());
    };
    let wanted = [4, vertices, normals, texels, faces].into_iter().try_fold(0_usize, usize::checked_add);
    if wanted != Some(words.len()) || !bytes.len().is_multiple_of(4) {
        return Err(format!("is not an MSH file: its length of {} bytes does not fit its heading", bytes.len()));
    }
    let mut text = String::new();
    for corner in words[4..4 + vertices].chunks_exact(3) {
        let [x, y, z] = [0, 1, 2].map(|axis| f32::from_le_bytes(corner[axis]));
        text += &format!("v {x:?} {y:?} {z:?}\n");
    }
    for face in words[4 + vertices + normals + texels..].chunks_exact(3) {
        let [a, b, c] = [0, 1, 2].map(|corner| i64::from(i32::from_le_bytes(face[corner])) + 1);
        text += &format!("f {a} {b} {c}\n");
    }
    Ok(text.into_bytes())
}

/// Places at which the file of a URDF may be: `package://`, `model://`, `file://`, absolute and relative paths.
pub(crate) fn candidates(name: &str, description: &Path, packages: &[PathBuf]) -> Vec<PathBuf> {
    let folder = description.parent().unwrap_or(Path::new(""));
    let in_package = name.strip_prefix("package://").or_else(|| name.strip_prefix("model://"));
    let Some(rest) = in_package else {
        let plain = name.strip_prefix("file://").unwrap_or(name);
        return vec![folder.join(plain)];
    };
    let (package, inside) = rest.split_once('/').unwrap_or((rest, ""));
    let mut found = Vec::new();
    let mut consider = |root: &Path| {
        found.push(root.join(package).join(inside));
        if root.file_name().is_some_and(|name| name == package) {
            found.push(root.join(inside));
        }
    };
    packages.iter().for_each(|root| consider(root));
    let absolute = std::path::absolute(folder).unwrap_or_else(|_| folder.to_path_buf());
    absolute.ancestors().for_each(&mut consider);
    // Folders of the description may lack the name of the package.
    found.extend(folder.ancestors().map(|root| root.join(inside)));
    found.iter().map(|path| without_dots(path)).collect()
}

/// The path without `.` and, where a name precedes it, `..`.
pub(crate) fn without_dots(path: &Path) -> PathBuf {
    let mut result = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if matches!(result.components().next_back(), Some(Component::Normal(_))) => {
                result.pop();
            }
            other => result.push(other),
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meshes_of_mujoco_become_obj_files() {
        let mut bytes = Vec::new();
        [3_i32, 0, 0, 1].iter().for_each(|count| bytes.extend(count.to_le_bytes()));
        [0.0_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0].iter().for_each(|x| bytes.extend(x.to_le_bytes()));
        [0_i32, 1, 2].iter().for_each(|corner| bytes.extend(corner.to_le_bytes()));
        let text = msh(&bytes).map(|obj| String::from_utf8_lossy(&obj).into_owned());
        assert_eq!(text.as_deref(), Ok("v 0.0 0.0 0.0\nv 1.0 0.0 0.0\nv 0.0 1.0 0.0\nf 1 2 3\n"));
        bytes[0] = 4;
        assert!(msh(&bytes).is_err_and(|error| error.contains("does not fit")));
        bytes[3] = 255;
        assert!(msh(&bytes).is_err_and(|error| error.contains("damaged")));
    }

    #[test]
    fn a_mesh_without_volume_does_not_collide() {
        let flat = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
        let box_like = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
        let mut files = mbs_model::MemoryFiles::new().with("flat.obj", flat).with("solid.obj", box_like);
        let mut meshes = Meshes::new(&mut files, true);
        let [flat, solid] = ["flat.obj", "solid.obj"].map(|name| meshes.take(Path::new(name)).unwrap_or_default());
        assert!(meshes.colliding(&flat, [1.0; 3]).is_err());
        assert_eq!(meshes.colliding(&solid, [1.0; 3]), Ok(Hull::Smoothed));
    }

    #[test]
    fn a_scale_that_mirrors_gives_a_mirrored_copy() {
        let mut files = mbs_model::MemoryFiles::new().with("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
        let mut meshes = Meshes::new(&mut files, true);
        let name = meshes.take(Path::new("a.obj")).unwrap_or_default();
        let copy = "meshes/a_mirrored_x.obj".to_owned();
        assert_eq!(meshes.upright(&name, [-2.0, 1.0, 1.0]), Ok((copy.clone(), [2.0, 1.0, 1.0])));
        let text =
            meshes.content.get(Path::new(&copy)).map(|bytes| String::from_utf8_lossy(bytes).replace("-0.0", "0.0"));
        assert_eq!(text.as_deref(), Some("v 0.0 0.0 0.0\nv 0.0 1.0 0.0\nv -1.0 0.0 0.0\nf 1 2 3\n"));
        assert_eq!(meshes.upright(&name, [2.0; 3]), Ok((name, [2.0; 3])));
    }

    #[test]
    fn packages_are_looked_for_in_the_folders_around_the_file() {
        let found =
            candidates("package://arm_description/meshes/a.stl", Path::new("/ws/arm_description/urdf/arm.urdf"), &[]);
        assert!(found.contains(&PathBuf::from("/ws/arm_description/meshes/a.stl")), "{found:?}");
        let found = candidates("package://arm/a.stl", Path::new("/x/arm.urdf"), &[PathBuf::from("/opt/share")]);
        assert_eq!(found[0], PathBuf::from("/opt/share/arm/a.stl"));
        assert_eq!(candidates("../a.stl", Path::new("/x/y/arm.urdf"), &[]), [PathBuf::from("/x/y/../a.stl")]);
        assert_eq!(candidates("file:///a.stl", Path::new("/x/arm.urdf"), &[]), [PathBuf::from("/a.stl")]);
    }
}
