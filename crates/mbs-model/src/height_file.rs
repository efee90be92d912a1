//! Height fields from rows of numbers and grey pictures.

use std::io::Cursor;
use std::path::Path;

use mbs::solid::HeightGrid;

use crate::number_rows::rows;

/// More heights than this are taken for a mistake: every cell is two shapes that collide.
const MOST: usize = 1_000_000;

/// The grid in a file; the extension gives the format.
///
/// # Errors
/// What is wrong with the file.
pub(crate) fn read(path: &Path, bytes: &[u8]) -> Result<HeightGrid, String> {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("").to_ascii_lowercase();
    match extension.as_str() {
        "csv" | "txt" => grid(&rows(bytes)?),
        "png" => picture(bytes),
        _ => Err(format!("{} has an unknown format; `.csv` and `.png` can be read", path.display())),
    }
}

/// The grid of rows in the direction of y.
///
/// # Errors
/// Rows of different length, too few or too many heights.
pub(crate) fn grid(rows: &[Vec<f64>]) -> Result<HeightGrid, String> {
    let columns = rows.first().map_or(0, Vec::len);
    if let Some(row) = rows.iter().position(|row| row.len() != columns) {
        return Err(format!("row {} has {} values, but the first one has {columns}", row + 1, rows[row].len()));
    }
    checked(columns, rows.concat())
}

fn checked(columns: usize, heights: Vec<f64>) -> Result<HeightGrid, String> {
    if heights.len() > MOST {
        return Err(format!("{} heights are more than {MOST}; take a coarser grid", heights.len()));
    }
    HeightGrid::new(columns, heights).map_err(|error| error.to_string())
}

/// Grey values between 0 and 1, the lowest row of the picture first.
fn picture(bytes: &[u8]) -> Result<HeightGrid, String> {
    let damaged = |error: png::DecodingError| format!("the file is not a PNG picture: {error}");
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::EXPAND);
    let mut reader = decoder.read_info().map_err(damaged)?;
    let size = reader.output_buffer_size().ok_or_else(|| "the picture is too large".to_owned())?;
    let mut pixels = vec![0; size];
    let info = reader.next_frame(&mut pixels).map_err(damaged)?;
    let channels = info.color_type.samples();
    let wide = info.bit_depth == png::BitDepth::Sixteen;
    let sample = |index: usize| match wide {
        true => f64::from(u16::from_be_bytes([pixels[2 * index], pixels[2 * index + 1]])) / f64::from(u16::MAX),
        false => f64::from(pixels[index]) / f64::from(u8::MAX),
    };
    let colors = if channels < 3 { 1 } else { 3 };
    let grey = |pixel: usize| (0..colors).map(|color| sample(pixel * channels + color)).sum::<f64>() / colors as f64;
    let (columns, rows) = (info.width as usize, info.height as usize);
    let heights = (0..rows).rev().flat_map(|row| (0..columns).map(move |column| row * columns + column)).map(grey);
    checked(columns, heights.collect())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn rows_follow_y_and_values_follow_x() {
        let grid = read(Path::new("a.csv"), b"# two rows\n0, 1; 2\n\n3\t4 5e0\n").unwrap();
        assert_eq!((grid.rows(), grid.columns(), grid.range()), (2, 3, [0.0, 5.0]));
        assert_eq!(grid.node(1, 2, [4.0, 2.0], 0.5), [2.0, 1.0, 2.5]);
    }

    #[test]
    fn the_lower_edge_of_a_picture_is_the_first_row() {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, 2, 2);
        encoder.set_color(png::ColorType::Grayscale);
        encoder.set_depth(png::BitDepth::Sixteen);
        encoder.write_header().unwrap().write_image_data(&[0, 0, 0x33, 0x33, 0x66, 0x66, 0xff, 0xff]).unwrap();
        let grid = read(Path::new("a.png"), &bytes).unwrap();
        let heights = [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(row, column)| grid.node(row, column, [1.0; 2], 1.0)[2]);
        assert_eq!(heights, [0.4, 1.0, 0.0, 0.2]);
    }

    #[test]
    fn damaged_files_are_errors_that_say_why() {
        let refuse = |name: &str, bytes: &[u8]| read(Path::new(name), bytes).unwrap_err();
        assert!(refuse("a.csv", b"1,2\n3\n").contains("row 2 has 1 values"));
        assert!(refuse("a.csv", b"1,2\n3,x\n").contains("line 2: `x`"));
        assert!(refuse("a.csv", b"1,2\n").contains("two rows"));
        assert!(refuse("a.csv", b"1,2\n3,inf\n").contains("row 2, column 2"));
        assert!(refuse("a.png", b"no picture").contains("not a PNG"));
        assert!(refuse("a.bmp", b"").contains("unknown format"));
    }
}
