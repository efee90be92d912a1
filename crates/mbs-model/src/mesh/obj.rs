//! OBJ files: vertices and faces; everything else in them is for pictures and skipped.

use super::Soup;

/// Triangles of a file; faces with more corners are divided into fans.
///
/// # Errors
/// The line that is wrong, and why.
pub(super) fn read(bytes: &[u8]) -> Result<Soup, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "is not a text file (UTF-8)".to_owned())?;
    let (mut vertices, mut soup) = (Vec::new(), Soup::new());
    for (index, line) in text.lines().enumerate() {
        let mut words = line.split('#').next().unwrap_or("").split_whitespace();
        let result = match words.next() {
            Some("v") => vertex(words).map(|vertex| vertices.push(vertex)),
            Some("f") => face(words, &vertices).map(|corners| fan(&corners, &mut soup)),
            _ => Ok(()),
        };
        result.map_err(|cause| format!("line {}: {cause}", index + 1))?;
    }
    Ok(soup)
}

/// `v x y z`, perhaps followed by a weight or a colour.
fn vertex<'a>(words: impl Iterator<Item = &'a str>) -> Result<[f64; 3], String> {
    let coordinates: Result<Vec<f64>, _> = words.take(3).map(str::parse).collect();
    let three = coordinates.ok().and_then(|coordinates| <[f64; 3]>::try_from(coordinates).ok());
    three.ok_or_else(|| "a vertex needs three numbers".to_owned())
}

/// `f 1 2 3`, `f 1/7/5 2//6 ...`, or counted back from the last vertex `f -3 -2 -1`.
fn face<'a>(words: impl Iterator<Item = &'a str>, vertices: &[[f64; 3]]) -> Result<Vec<[f64; 3]>, String> {
    let corners: Vec<[f64; 3]> = words.map(|word| corner(word, vertices)).collect::<Result<_, _>>()?;
    match corners.len() {
        0..=2 => Err(format!("a face needs three corners, this one has {}", corners.len())),
        _ => Ok(corners),
    }
}

fn corner(word: &str, vertices: &[[f64; 3]]) -> Result<[f64; 3], String> {
    let number = word.split('/').next().unwrap_or("");
    let wanted: i64 = number.parse().map_err(|_| format!("`{word}` is not the number of a vertex"))?;
    let from_start = if wanted < 0 { wanted.saturating_add(vertices.len() as i64) } else { wanted - 1 };
    let vertex = usize::try_from(from_start).ok().and_then(|index| vertices.get(index));
    vertex.copied().ok_or_else(|| format!("there is no vertex {wanted}; {} precede this line", vertices.len()))
}

fn fan(corners: &[[f64; 3]], soup: &mut Soup) {
    for pair in corners.windows(2).skip(1) {
        soup.push([corners[0], pair[0], pair[1]]);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_quadrilateral_becomes_two_triangles() {
        let text = "# a square\nv 0 0 0\nv 1 0 0\nv 1 1 0 0.5 0.5 0.5\nv 0 1 0\nvn 0 0 1\nf 1/1/1 2//1 3 -1\n";
        let soup = read(text.as_bytes()).unwrap();
        assert_eq!(
            soup,
            [[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0]], [[0.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]],]
        );
    }

    #[test]
    fn wrong_lines_are_named() {
        for (text, cause) in [
            ("v 1 2\n", "line 1: a vertex needs three numbers"),
            ("v 1 2 x\n", "line 1"),
            ("v 0 0 0\nf 1 1 2\n", "line 2: there is no vertex 2; 1 precede"),
            ("f 0 0 0\n", "there is no vertex 0"),
            ("f -9223372036854775808 1 1\n", "there is no vertex"),
            ("v 0 0 0\nf 1 1\n", "three corners"),
            ("f a b c\n", "`a` is not the number"),
        ] {
            assert!(read(text.as_bytes()).unwrap_err().contains(cause), "{text}");
        }
        assert!(read(&[0xff]).is_err());
    }
}
