//! Writes tables as Parquet: plain encoding, no compression. Every reader of the format takes it.

use std::io::{self, Write};

/// A column with its values.
pub enum Column {
    /// Reals.
    Numbers(Vec<f64>),
    /// Whole numbers.
    Integers(Vec<i64>),
    /// Booleans.
    Booleans(Vec<bool>),
    /// Texts.
    Texts(Vec<String>),
}

/// What the values of a column are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Type {
    Boolean,
    Integer,
    Number,
    Text,
}

/// First and last bytes of a file.
pub const MAGIC: &[u8] = b"PAR1";

impl Type {
    /// Number of the type in the format.
    fn number(self) -> i64 {
        match self {
            Self::Boolean => 0,
            Self::Integer => 2,
            Self::Number => 5,
            Self::Text => 6,
        }
    }
}

impl Column {
    fn kind(&self) -> Type {
        match self {
            Self::Numbers(_) => Type::Number,
            Self::Integers(_) => Type::Integer,
            Self::Booleans(_) => Type::Boolean,
            Self::Texts(_) => Type::Text,
        }
    }

    /// Number of values.
    pub fn len(&self) -> usize {
        match self {
            Self::Numbers(values) => values.len(),
            Self::Integers(values) => values.len(),
            Self::Booleans(values) => values.len(),
            Self::Texts(values) => values.len(),
        }
    }

    fn bytes(&self) -> Vec<u8> {
        match self {
            Self::Numbers(values) => values.iter().flat_map(|value| value.to_le_bytes()).collect(),
            Self::Integers(values) => values.iter().flat_map(|value| value.to_le_bytes()).collect(),
            // Eight to a byte, the first in the lowest bit.
            Self::Booleans(values) => {
                let byte = |eight: &[bool]| eight.iter().rev().fold(0, |byte, truth| byte << 1 | u8::from(*truth));
                values.chunks(8).map(byte).collect()
            }
            Self::Texts(values) => {
                let text = |text: &String| [&(text.len() as u32).to_le_bytes(), text.as_bytes()].concat();
                values.iter().flat_map(text).collect()
            }
        }
    }
}

/// Whether a file begins as Parquet does.
pub fn is_parquet(beginning: &[u8]) -> bool {
    beginning.starts_with(MAGIC)
}

/// Writes columns of equal length with their names.
///
/// # Errors
/// Errors of the operating system.
pub fn write(out: &mut impl Write, columns: &[(String, Column)]) -> io::Result<()> {
    let mut writer = Writer::new(out)?;
    writer.group(columns)?;
    writer.finish(&[]).map(drop)
}

/// Rows that are stored together.
struct Group {
    rows: usize,
    bytes: usize,
    /// Where the values of every column are.
    chunks: Vec<Fields>,
}

/// Writes a table piece by piece.
pub struct Writer<W: Write> {
    out: W,
    /// Bytes written.
    offset: usize,
    /// Names and types of the columns.
    columns: Vec<(String, Type)>,
    groups: Vec<Group>,
}

impl<W: Write> Writer<W> {
    /// Writes the beginning.
    ///
    /// # Errors
    /// Errors of the operating system.
    pub fn new(mut out: W) -> io::Result<Self> {
        out.write_all(MAGIC)?;
        Ok(Self { out, offset: MAGIC.len(), columns: Vec::new(), groups: Vec::new() })
    }

    /// Writes rows; the columns are the same in every call.
    ///
    /// # Errors
    /// Errors of the operating system.
    pub fn group(&mut self, columns: &[(String, Column)]) -> io::Result<()> {
        self.columns = columns.iter().map(|(name, column)| (name.clone(), column.kind())).collect();
        let rows = columns.first().map_or(0, |(_, column)| column.len());
        self.groups.push(Group { rows, bytes: 0, chunks: Vec::new() });
        let group = self.groups.len() - 1;
        columns.iter().try_for_each(|(name, column)| self.chunk(group, name, column))
    }

    /// Adds a column with the same truth in every row.
    ///
    /// # Errors
    /// Errors of the operating system.
    pub fn mark(&mut self, name: &str) -> io::Result<()> {
        self.columns.push((name.to_owned(), Type::Boolean));
        (0..self.groups.len()).try_for_each(|k| self.chunk(k, name, &Column::Booleans(vec![true; self.groups[k].rows])))
    }

    fn chunk(&mut self, group: usize, name: &str, column: &Column) -> io::Result<()> {
        let bytes = column.bytes();
        let header = page_header(column.len(), bytes.len());
        self.out.write_all(&header)?;
        self.out.write_all(&bytes)?;
        let size = header.len() + bytes.len();
        let group = &mut self.groups[group];
        group.chunks.push(chunk(name, column, self.offset, size));
        group.bytes += size;
        self.offset += size;
        Ok(())
    }

    /// Writes the end with what is to be known of the table, by key; gives the output.
    ///
    /// # Errors
    /// Errors of the operating system.
    pub fn finish(mut self, metadata: &[(&str, String)]) -> io::Result<W> {
        let footer = footer(&self.columns, self.groups, metadata);
        self.out.write_all(&footer)?;
        self.out.write_all(&(footer.len() as u32).to_le_bytes())?;
        self.out.write_all(MAGIC)?;
        Ok(self.out)
    }
}

fn page_header(values: usize, size: usize) -> Vec<u8> {
    const RLE: i64 = 3;
    let data = Fields::new().int(1, values as i64).int(2, 0).int(3, RLE).int(4, RLE);
    Fields::new().int(1, 0).int(2, size as i64).int(3, size as i64).inner(5, data).finish()
}

fn chunk(name: &str, column: &Column, offset: usize, size: usize) -> Fields {
    let metadata = Fields::new()
        .int(1, column.kind().number())
        .list(2, INT, vec![zigzag(0)])
        .list(3, TEXT, vec![counted(name.as_bytes())])
        .int(4, 0)
        .long(5, column.len() as i64)
        .long(6, size as i64)
        .long(7, size as i64)
        .long(9, offset as i64);
    Fields::new().long(2, offset as i64).inner(3, metadata)
}

fn footer(columns: &[(String, Type)], groups: Vec<Group>, metadata: &[(&str, String)]) -> Vec<u8> {
    let root = Fields::new().text(4, "table").int(5, columns.len() as i64);
    let leaf = |(name, kind): &(String, Type)| {
        let leaf = Fields::new().int(1, kind.number()).int(3, 0).text(4, name);
        if *kind == Type::Text { leaf.int(6, 0) } else { leaf }
    };
    let schema = std::iter::once(root).chain(columns.iter().map(leaf)).map(Fields::finish).collect();
    let rows: usize = groups.iter().map(|group| group.rows).sum();
    let group = |group: Group| {
        Fields::new()
            .list(1, STRUCT, group.chunks.into_iter().map(Fields::finish).collect())
            .long(2, group.bytes as i64)
            .long(3, group.rows as i64)
            .finish()
    };
    let footer = Fields::new().int(1, 1).list(2, STRUCT, schema).long(3, rows as i64).list(
        4,
        STRUCT,
        groups.into_iter().map(group).collect(),
    );
    let pairs = metadata.iter().map(|(key, value)| Fields::new().text(1, key).text(2, value).finish());
    let footer = if metadata.is_empty() { footer } else { footer.list(5, STRUCT, pairs.collect()) };
    footer.text(6, concat!("mbfmu ", env!("CARGO_PKG_VERSION"))).finish()
}

/// Types of Thrift's compact protocol, in which the format writes its structures.
const INT: u8 = 5;
const LONG: u8 = 6;
const TEXT: u8 = 8;
const LIST: u8 = 9;
const STRUCT: u8 = 12;

/// Fields of a structure, in the order of their numbers.
struct Fields {
    bytes: Vec<u8>,
    last: u8,
}

impl Fields {
    fn new() -> Self {
        Self { bytes: Vec::new(), last: 0 }
    }

    fn field(mut self, number: u8, kind: u8, value: &[u8]) -> Self {
        self.bytes.push((number - self.last) << 4 | kind);
        self.bytes.extend_from_slice(value);
        self.last = number;
        self
    }

    fn int(self, number: u8, value: i64) -> Self {
        self.field(number, INT, &zigzag(value))
    }

    fn long(self, number: u8, value: i64) -> Self {
        self.field(number, LONG, &zigzag(value))
    }

    fn text(self, number: u8, text: &str) -> Self {
        self.field(number, TEXT, &counted(text.as_bytes()))
    }

    fn inner(self, number: u8, fields: Self) -> Self {
        self.field(number, STRUCT, &fields.finish())
    }

    fn list(self, number: u8, kind: u8, elements: Vec<Vec<u8>>) -> Self {
        let header = match elements.len() {
            count @ 0..15 => vec![(count as u8) << 4 | kind],
            count => [vec![0xf0 | kind], varint(count as u64)].concat(),
        };
        self.field(number, LIST, &[header, elements.concat()].concat())
    }

    fn finish(mut self) -> Vec<u8> {
        self.bytes.push(0);
        self.bytes
    }
}

fn zigzag(value: i64) -> Vec<u8> {
    varint(((value << 1) ^ (value >> 63)) as u64)
}

fn counted(bytes: &[u8]) -> Vec<u8> {
    [varint(bytes.len() as u64), bytes.to_vec()].concat()
}

fn varint(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
    bytes
}
