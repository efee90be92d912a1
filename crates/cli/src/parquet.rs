//! Writes a table as Parquet: one row group, plain encoding, no compression. Every reader of the format takes it.

use std::io::{self, Write};

/// A column with its values.
pub enum Column {
    /// Reals.
    Numbers(Vec<f64>),
    /// Texts.
    Texts(Vec<String>),
}

const MAGIC: &[u8] = b"PAR1";
/// Type numbers of the format.
const DOUBLE: i64 = 5;
const BYTE_ARRAY: i64 = 6;

impl Column {
    fn kind(&self) -> i64 {
        match self {
            Self::Numbers(_) => DOUBLE,
            Self::Texts(_) => BYTE_ARRAY,
        }
    }

    /// Number of values.
    pub fn len(&self) -> usize {
        match self {
            Self::Numbers(values) => values.len(),
            Self::Texts(values) => values.len(),
        }
    }

    fn bytes(&self) -> Vec<u8> {
        match self {
            Self::Numbers(values) => values.iter().flat_map(|value| value.to_le_bytes()).collect(),
            Self::Texts(values) => {
                let text = |text: &String| [&(text.len() as u32).to_le_bytes(), text.as_bytes()].concat();
                values.iter().flat_map(text).collect()
            }
        }
    }
}

/// Writes columns of equal length with their names.
///
/// # Errors
/// What the system says.
pub fn write(out: &mut impl Write, columns: &[(String, Column)]) -> io::Result<()> {
    out.write_all(MAGIC)?;
    let mut offset = MAGIC.len();
    let mut chunks = Vec::new();
    for (name, column) in columns {
        let bytes = column.bytes();
        let header = page_header(column.len(), bytes.len());
        out.write_all(&header)?;
        out.write_all(&bytes)?;
        let size = header.len() + bytes.len();
        chunks.push(chunk(name, column, offset, size));
        offset += size;
    }
    let rows = columns.first().map_or(0, |(_, column)| column.len());
    let footer = footer(columns, chunks, rows, offset - MAGIC.len());
    out.write_all(&footer)?;
    out.write_all(&(footer.len() as u32).to_le_bytes())?;
    out.write_all(MAGIC)
}

fn page_header(values: usize, size: usize) -> Vec<u8> {
    const RLE: i64 = 3;
    let data = Fields::new().int(1, values as i64).int(2, 0).int(3, RLE).int(4, RLE);
    Fields::new().int(1, 0).int(2, size as i64).int(3, size as i64).inner(5, data).finish()
}

fn chunk(name: &str, column: &Column, offset: usize, size: usize) -> Fields {
    let metadata = Fields::new()
        .int(1, column.kind())
        .list(2, INT, vec![zigzag(0)])
        .list(3, TEXT, vec![counted(name.as_bytes())])
        .int(4, 0)
        .long(5, column.len() as i64)
        .long(6, size as i64)
        .long(7, size as i64)
        .long(9, offset as i64);
    Fields::new().long(2, offset as i64).inner(3, metadata)
}

fn footer(columns: &[(String, Column)], chunks: Vec<Fields>, rows: usize, size: usize) -> Vec<u8> {
    let root = Fields::new().text(4, "table").int(5, columns.len() as i64);
    let leaf = |(name, column): &(String, Column)| {
        let leaf = Fields::new().int(1, column.kind()).int(3, 0).text(4, name);
        if column.kind() == BYTE_ARRAY { leaf.int(6, 0) } else { leaf }
    };
    let schema = std::iter::once(root).chain(columns.iter().map(leaf)).map(Fields::finish).collect();
    let group = Fields::new()
        .list(1, STRUCT, chunks.into_iter().map(Fields::finish).collect())
        .long(2, size as i64)
        .long(3, rows as i64);
    Fields::new()
        .int(1, 1)
        .list(2, STRUCT, schema)
        .long(3, rows as i64)
        .list(4, STRUCT, vec![group.finish()])
        .text(6, concat!("mbfmu ", env!("CARGO_PKG_VERSION")))
        .finish()
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
