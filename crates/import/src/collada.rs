//! COLLADA files (`.dae`): their triangles, as an OBJ file.
//!
//! Geometry only: materials, textures, animations and skins are left. Lengths become metres by `<unit>`. The direction
//! of `<up_axis>` is not applied, as in RViz: descriptions of robots count on that.

use std::collections::HashMap;
use std::fmt::Write;

use nalgebra::{Matrix4, Point3, Rotation3, Unit, Vector3, Vector4};
use roxmltree::{Document, Node, ParsingOptions};

/// Deepest nesting of nodes, also by `<instance_node>`.
const DEEPEST: usize = 64;
/// Most triangles of a file, also by repetition.
const MOST_TRIANGLES: usize = 10_000_000;

/// Triangles of a COLLADA file as the text of an OBJ file.
///
/// # Errors
/// What is wrong with the file.
pub fn read(bytes: &[u8]) -> Result<Vec<u8>, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "is not a text file (UTF-8)".to_owned())?;
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let tree = Document::parse_with_options(text.trim_start_matches('\u{feff}'), options)
        .map_err(|error| format!("is not XML: {error}"))?;
    let root = tree.root_element();
    if root.tag_name().name() != "COLLADA" {
        return Err(format!("is not a COLLADA file: its root is <{}>", root.tag_name().name()));
    }
    let mut reader = Reader { by_id: ids(&tree), triangles: Vec::new(), depth: 0 };
    let scale = child(root, "asset").and_then(|asset| child(asset, "unit")).and_then(|unit| unit.attribute("meter"));
    let scale = scale.map_or(Ok(1.0), finite)?;
    reader.scenes(root, &Matrix4::new_scaling(scale))?;
    if reader.triangles.is_empty() {
        return Err("has no triangles".to_owned());
    }
    Ok(obj(&reader.triangles))
}

struct Reader<'a> {
    by_id: HashMap<&'a str, Node<'a, 'a>>,
    triangles: Vec<[Point3<f64>; 3]>,
    depth: usize,
}

fn ids<'a>(tree: &'a Document<'a>) -> HashMap<&'a str, Node<'a, 'a>> {
    tree.descendants().filter_map(|node| Some((node.attribute("id")?, node))).collect()
}

fn child<'a>(node: Node<'a, 'a>, tag: &str) -> Option<Node<'a, 'a>> {
    node.children().find(|child| child.has_tag_name_any(tag))
}

/// Names of tags without their name space.
trait Named {
    fn has_tag_name_any(&self, tag: &str) -> bool;
}

impl Named for Node<'_, '_> {
    fn has_tag_name_any(&self, tag: &str) -> bool {
        self.is_element() && self.tag_name().name() == tag
    }
}

fn line(node: Node) -> u32 {
    node.document().text_pos_at(node.range().start).row
}

fn finite(word: &str) -> Result<f64, String> {
    // Decimal commas are written by exporters in some countries.
    let value = word.parse().or_else(|_| word.replace(',', ".").parse());
    value.ok().filter(|value: &f64| value.is_finite()).ok_or_else(|| format!("`{word}` is not a finite number"))
}

fn numbers(node: Node) -> Result<Vec<f64>, String> {
    let words = node.text().unwrap_or("").split_whitespace();
    words.map(finite).collect::<Result<_, _>>().map_err(|cause| format!("line {}: {cause}", line(node)))
}

fn indices(node: Node) -> Result<Vec<usize>, String> {
    let words = node.text().unwrap_or("").split_whitespace();
    words.map(|word| word.parse().map_err(|_| format!("line {}: `{word}` is not an index", line(node)))).collect()
}

impl<'a> Reader<'a> {
    /// The scene that is shown; all geometries when there is none.
    fn scenes(&mut self, root: Node<'a, 'a>, transform: &Matrix4<f64>) -> Result<(), String> {
        let named = child(root, "scene").and_then(|scene| child(scene, "instance_visual_scene"));
        let first = child(root, "library_visual_scenes").and_then(|library| child(library, "visual_scene"));
        match named.and_then(|instance| self.target(instance)).or(first) {
            Some(scene) => self.nodes(scene, transform),
            None => {
                let geometries = root.descendants().filter(|node| node.has_tag_name_any("geometry"));
                geometries.into_iter().try_for_each(|geometry| self.geometry(geometry, transform))
            }
        }
    }

    fn target(&self, node: Node<'a, 'a>) -> Option<Node<'a, 'a>> {
        let url = node.attribute("url").or_else(|| node.attribute("source"))?;
        self.by_id.get(url.strip_prefix('#')?).copied()
    }

    fn nodes(&mut self, parent: Node<'a, 'a>, transform: &Matrix4<f64>) -> Result<(), String> {
        if self.depth > DEEPEST {
            return Err(format!("line {}: nodes are nested more than {DEEPEST} times", line(parent)));
        }
        self.depth += 1;
        for node in parent.children().filter(Node::is_element) {
            match node.tag_name().name() {
                "node" => self.nodes(node, &(transform * placement(node)?))?,
                "instance_node" => {
                    if let Some(target) = self.target(node) {
                        self.nodes(target, &(transform * placement(target)?))?;
                    }
                }
                "instance_geometry" => {
                    let geometry = self.target(node).ok_or_else(|| {
                        format!("line {}: there is no geometry `{}`", line(node), node.attribute("url").unwrap_or(""))
                    })?;
                    self.geometry(geometry, transform)?;
                }
                _ => {}
            }
        }
        self.depth -= 1;
        Ok(())
    }

    fn geometry(&mut self, geometry: Node<'a, 'a>, transform: &Matrix4<f64>) -> Result<(), String> {
        let Some(mesh) = child(geometry, "mesh") else { return Ok(()) };
        for primitive in mesh.children().filter(Node::is_element) {
            let faces = match primitive.tag_name().name() {
                "triangles" => self.faces(primitive, Form::Triangles)?,
                "polylist" => self.faces(primitive, Form::Polygons)?,
                "polygons" => self.faces(primitive, Form::Each)?,
                "tristrips" => self.faces(primitive, Form::Strip)?,
                "trifans" => self.faces(primitive, Form::Each)?,
                _ => continue,
            };
            let placed = |corner: Point3<f64>| transform.transform_point(&corner);
            self.triangles.extend(faces.into_iter().map(|triangle| triangle.map(placed)));
            if self.triangles.len() > MOST_TRIANGLES {
                return Err(format!("has more than {MOST_TRIANGLES} triangles"));
            }
        }
        Ok(())
    }

    fn faces(&self, primitive: Node<'a, 'a>, form: Form) -> Result<Vec<[Point3<f64>; 3]>, String> {
        let at = line(primitive);
        let inputs: Vec<_> = primitive.children().filter(|node| node.has_tag_name_any("input")).collect();
        let offset = |node: Node| node.attribute("offset").and_then(|offset| offset.parse::<usize>().ok()).unwrap_or(0);
        let stride = inputs.iter().map(|&node| offset(node)).max().map_or(1, |largest| largest.saturating_add(1));
        let vertex = inputs.iter().copied().find(|node| node.attribute("semantic") == Some("VERTEX"));
        let Some(vertex) = vertex else { return Err(format!("line {at}: the primitive has no vertices")) };
        let positions = self.positions(vertex)?;
        let counts = match child(primitive, "vcount") {
            Some(node) => indices(node)?,
            None => Vec::new(),
        };
        let mut triangles = Vec::new();
        for list in primitive.children().filter(|node| node.has_tag_name_any("p")) {
            let chosen: Vec<usize> = indices(list)?.into_iter().skip(offset(vertex)).step_by(stride).collect();
            let corners = chosen.iter().map(|&index| {
                positions.get(index).copied().ok_or_else(|| {
                    format!("line {}: there is no vertex {index}; there are {}", line(list), positions.len())
                })
            });
            let corners: Vec<Point3<f64>> = corners.collect::<Result<_, _>>()?;
            form.divide(&corners, &counts, &mut triangles);
        }
        Ok(triangles)
    }

    /// Positions behind an input of a primitive.
    fn positions(&self, vertex: Node<'a, 'a>) -> Result<Vec<Point3<f64>>, String> {
        let missing = || format!("line {}: the positions of the vertices are missing", line(vertex));
        let vertices = self.target(vertex).ok_or_else(missing)?;
        let position = vertices
            .children()
            .find(|node| node.has_tag_name_any("input") && node.attribute("semantic") == Some("POSITION"));
        let source = position.and_then(|node| self.target(node)).ok_or_else(missing)?;
        let array = child(source, "float_array").ok_or_else(missing)?;
        let accessor = child(source, "technique_common").and_then(|common| child(common, "accessor"));
        let stride = accessor.and_then(|node| node.attribute("stride")).and_then(|text| text.parse::<usize>().ok());
        let stride = stride.unwrap_or(3).max(3);
        Ok(numbers(array)?.chunks_exact(stride).map(|chunk| Point3::new(chunk[0], chunk[1], chunk[2])).collect())
    }
}

/// How a list of corners is divided into triangles.
#[derive(Clone, Copy, PartialEq)]
enum Form {
    /// By threes.
    Triangles,
    /// Polygons of as many corners as `<vcount>` says.
    Polygons,
    /// One polygon per list.
    Each,
    /// A strip per list.
    Strip,
}

impl Form {
    fn divide(self, corners: &[Point3<f64>], counts: &[usize], triangles: &mut Vec<[Point3<f64>; 3]>) {
        match self {
            Self::Triangles => triangles.extend(corners.chunks_exact(3).map(|t| [t[0], t[1], t[2]])),
            Self::Each => fan(corners, triangles),
            Self::Strip => triangles.extend(corners.windows(3).enumerate().map(|(number, t)| match number % 2 {
                0 => [t[0], t[1], t[2]],
                _ => [t[1], t[0], t[2]],
            })),
            Self::Polygons => {
                let mut rest = corners;
                for &count in counts {
                    let (polygon, behind) = rest.split_at(count.min(rest.len()));
                    fan(polygon, triangles);
                    rest = behind;
                }
            }
        }
    }
}

fn fan(corners: &[Point3<f64>], triangles: &mut Vec<[Point3<f64>; 3]>) {
    for pair in corners.windows(2).skip(1) {
        triangles.push([corners[0], pair[0], pair[1]]);
    }
}

/// Where a node stands in its parent.
fn placement(node: Node) -> Result<Matrix4<f64>, String> {
    let mut transform = Matrix4::identity();
    for element in node.children().filter(Node::is_element) {
        let tag = element.tag_name().name();
        if !matches!(tag, "matrix" | "translate" | "rotate" | "scale") {
            continue;
        }
        let values = numbers(element)?;
        transform *= match (tag, values.as_slice()) {
            ("matrix", values) if values.len() == 16 => Matrix4::from_row_slice(values),
            ("translate", &[x, y, z]) => Matrix4::new_translation(&Vector3::new(x, y, z)),
            ("scale", &[x, y, z]) => Matrix4::from_diagonal(&Vector4::new(x, y, z, 1.0)),
            ("rotate", &[x, y, z, angle]) => match Unit::try_new(Vector3::new(x, y, z), 1e-12) {
                Some(axis) => Rotation3::from_axis_angle(&axis, angle.to_radians()).to_homogeneous(),
                None => Matrix4::identity(),
            },
            _ => return Err(format!("line {}: <{tag}> has {} numbers", line(element), values.len())),
        };
    }
    Ok(transform)
}

fn obj(triangles: &[[Point3<f64>; 3]]) -> Vec<u8> {
    let mut text = String::from("# triangles of a COLLADA file\n");
    let mut known: HashMap<[u32; 3], usize> = HashMap::new();
    let mut faces = String::new();
    for triangle in triangles {
        faces.push('f');
        for corner in triangle {
            // Single precision: these files hold no more.
            let rounded = [corner.x as f32, corner.y as f32, corner.z as f32];
            let count = known.len() + 1;
            let index = *known.entry(rounded.map(f32::to_bits)).or_insert(count);
            if index == count {
                let [x, y, z] = rounded;
                let _ = writeln!(text, "v {x:?} {y:?} {z:?}");
            }
            let _ = write!(faces, " {index}");
        }
        faces.push('\n');
    }
    text.push_str(&faces);
    text.into_bytes()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const SQUARE: &str = r##"<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit meter="0.001"/></asset>
<library_geometries><geometry id="g"><mesh>
<source id="s"><float_array id="a" count="12">0 0 0 1000 0 0 1000 1000 0 0 1000 0</float_array>
<technique_common><accessor source="#a" count="4" stride="3"/></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#s"/></vertices>
<polylist count="1"><input semantic="VERTEX" source="#v" offset="0"/><input semantic="NORMAL" source="#n" offset="1"/>
<vcount>4</vcount><p>0 0 1 0 2 0 3 0</p></polylist>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="scene"><node><translate>0 0 2000</translate><instance_geometry url="#g"/></node></visual_scene>
</library_visual_scenes><scene><instance_visual_scene url="#scene"/></scene></COLLADA>"##;

    #[test]
    fn polygons_become_triangles_in_metres() {
        let text = String::from_utf8(read(SQUARE.as_bytes()).unwrap()).unwrap();
        let lines: Vec<&str> = text.lines().skip(1).collect();
        assert_eq!(lines, ["v 0.0 0.0 2.0", "v 1.0 0.0 2.0", "v 1.0 1.0 2.0", "v 0.0 1.0 2.0", "f 1 2 3", "f 1 3 4"]);
    }

    #[test]
    fn wrong_files_are_refused_with_the_line() {
        for (from, to, cause) in [
            ("0 0 1 0 2 0 3 0", "0 0 1 0 9 0 3 0", "line 8: there is no vertex 9; there are 4"),
            ("1000 1000 0 0", "1000 x 0 0", "line 4: `x` is not a finite number"),
            ("url=\"#g\"", "url=\"#h\"", "there is no geometry `#h`"),
            ("0 0 2000", "0 0", "<translate> has 2 numbers"),
            ("<vcount>4</vcount>", "<vcount>2</vcount>", "has no triangles"),
            ("</COLLADA>", "", "is not XML"),
        ] {
            let error = read(SQUARE.replace(from, to).as_bytes()).unwrap_err();
            assert!(error.contains(cause), "{error}");
        }
        assert!(read(&[0xff]).is_err());
    }
}
