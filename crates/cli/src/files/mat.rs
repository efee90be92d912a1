//! Writes results as a MAT file of level 4 in the layout that Modelica tools read.
//!
//! A file is a sequence of matrices, each behind a header of five numbers and its name (MATLAB, "MAT-File Format",
//! level 4). Modelica tools expect these (OpenModelica User's Guide, "The MATv4 Result File Format"), transposed, so
//! that rows follow each other in time:
//!
//! | matrix | content |
//! |---|---|
//! | `Aclass` | kind of file, version of the layout, `binTrans` |
//! | `name`, `description` | texts of all variables, time first |
//! | `dataInfo` | per variable: matrix, row in it, linear interpolation, not defined outside |
//! | `data_1` | what is constant, at the first and the last time |
//! | `data_2` | everything else, at all times |

use std::io::{self, Write};

/// A variable.
pub struct Row<'a> {
    /// Name.
    pub name: &'a str,
    /// One-line description, with the unit in brackets at its end.
    pub description: String,
}

/// Types of the values of a matrix, from its header.
#[derive(Clone, Copy)]
enum Element {
    Double = 0,
    Int = 20,
    Char = 51,
}

/// Matrix and interpolation of a variable in `dataInfo`: linear between points, not defined outside.
const CONSTANT: i32 = 1;
const VARYING: i32 = 2;
const LINEAR: i32 = 0;
const OUTSIDE: i32 = -1;

/// Whether a file begins as results of this kind do.
pub fn is_mat(beginning: &[u8]) -> bool {
    let element = (Element::Char as u32).to_le_bytes();
    beginning.starts_with(&element) && beginning.get(20..27) == Some(b"Aclass\0")
}

/// Whether a file begins as MAT files of level 5 and later do, which are laid out in another way.
pub fn is_newer(beginning: &[u8]) -> bool {
    beginning.starts_with(b"MATLAB ")
}

/// Writes the values of `rows` at `times`; `values` point by point. `constants` hold for the whole run.
///
/// # Errors
/// Errors of the operating system.
pub fn write(
    out: &mut impl Write,
    rows: &[Row<'_>],
    constants: &[(Row<'_>, f64)],
    times: &[f64],
    values: &[f64],
) -> io::Result<()> {
    let time = Row { name: "time", description: "Time [s]".to_owned() };
    let all = || std::iter::once(&time).chain(rows).chain(constants.iter().map(|(row, _)| row));
    columns_of_text(out, "Aclass", &["Atrajectory", "1.1", "", "binTrans"], false)?;
    columns_of_text(out, "name", &all().map(|row| row.name).collect::<Vec<_>>(), true)?;
    columns_of_text(out, "description", &all().map(|row| row.description.as_str()).collect::<Vec<_>>(), true)?;
    let varying = (0..=rows.len()).map(|k| if k == 0 { [0, 1] } else { [VARYING, k as i32 + 1] });
    let constant = (0..constants.len()).map(|k| [CONSTANT, k as i32 + 2]);
    let info: Vec<i32> = varying.chain(constant).flat_map(|[matrix, row]| [matrix, row, LINEAR, OUTSIDE]).collect();
    header(out, "dataInfo", Element::Int, [4, info.len() / 4])?;
    info.iter().try_for_each(|number| out.write_all(&number.to_le_bytes()))?;
    let ends = [times.first(), times.last()].map(|t| t.copied().unwrap_or(0.0));
    let constants = |t: f64| std::iter::once(t).chain(constants.iter().map(|(_, value)| *value));
    let data: Vec<f64> = ends.into_iter().flat_map(constants).collect();
    doubles(out, "data_1", [data.len() / 2, 2], &data)?;
    header(out, "data_2", Element::Double, [rows.len() + 1, times.len()])?;
    for (k, t) in times.iter().enumerate() {
        numbers(out, &[*t])?;
        numbers(out, &values[k * rows.len()..(k + 1) * rows.len()])?;
    }
    Ok(())
}

fn header(out: &mut impl Write, name: &str, element: Element, [rows, columns]: [usize; 2]) -> io::Result<()> {
    const REAL: u32 = 0;
    let sizes = [element as u32, rows as u32, columns as u32, REAL, name.len() as u32 + 1];
    sizes.iter().try_for_each(|size| out.write_all(&size.to_le_bytes()))?;
    out.write_all(name.as_bytes())?;
    out.write_all(&[0])
}

fn numbers(out: &mut impl Write, values: &[f64]) -> io::Result<()> {
    values.iter().try_for_each(|value| out.write_all(&value.to_le_bytes()))
}

fn doubles(out: &mut impl Write, name: &str, size: [usize; 2], values: &[f64]) -> io::Result<()> {
    header(out, name, Element::Double, size)?;
    numbers(out, values)
}

/// A matrix of characters with a text per column, or per row.
fn columns_of_text(out: &mut impl Write, name: &str, texts: &[&str], is_transposed: bool) -> io::Result<()> {
    let width = texts.iter().map(|text| text.len()).max().unwrap_or(0).max(1);
    let padded = |text: &&str| -> Vec<u8> { text.bytes().chain(std::iter::repeat(b' ')).take(width).collect() };
    let texts: Vec<Vec<u8>> = texts.iter().map(padded).collect();
    if is_transposed {
        header(out, name, Element::Char, [width, texts.len()])?;
        return texts.iter().try_for_each(|text| out.write_all(text));
    }
    header(out, name, Element::Char, [texts.len(), width])?;
    (0..width).try_for_each(|k| texts.iter().try_for_each(|text| out.write_all(&text[k..=k])))
}
