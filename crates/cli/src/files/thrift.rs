//! Reads structures in Thrift's compact protocol, as Parquet has them.

/// Deepest nesting of structures and lists that is read.
const DEEPEST: usize = 16;

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub enum Value<'a> {
    /// Whole number or Boolean.
    Int(i64),
    /// Text or bytes.
    Bytes(&'a [u8]),
    /// List or set.
    List(Vec<Value<'a>>),
    /// Fields with their numbers.
    Struct(Vec<(i64, Value<'a>)>),
    /// What tables do not need.
    Other,
}

impl<'a> Value<'a> {
    /// Takes a structure from the bytes; none if they are none.
    pub fn read(rest: &mut &'a [u8]) -> Option<Self> {
        structure(rest, 0)
    }

    /// A field of a structure.
    pub fn field(&self, number: i64) -> Option<&Self> {
        let Self::Struct(fields) = self else { return None };
        fields.iter().find(|(known, _)| *known == number).map(|(_, value)| value)
    }

    /// A field that is a whole number.
    pub fn int(&self, number: i64) -> Option<i64> {
        if let Self::Int(value) = self.field(number)? { Some(*value) } else { None }
    }

    /// A field that is a text.
    pub fn text(&self, number: i64) -> Option<&'a str> {
        if let Self::Bytes(bytes) = self.field(number)? { std::str::from_utf8(bytes).ok() } else { None }
    }

    /// The elements of a field that is a list; none of them if there is no such field.
    pub fn list(&self, number: i64) -> &[Self] {
        if let Some(Self::List(elements)) = self.field(number) { elements } else { &[] }
    }
}

fn structure<'a>(rest: &mut &'a [u8], depth: usize) -> Option<Value<'a>> {
    let mut fields = Vec::new();
    let mut number = 0;
    loop {
        let head = byte(rest)?;
        let kind = head & 0xf;
        if kind == 0 {
            return Some(Value::Struct(fields));
        }
        number = if head >> 4 == 0 { zigzag(rest)? } else { number + i64::from(head >> 4) };
        // The kind of a Boolean field is its value.
        let value = if kind <= 2 { Value::Int(i64::from(kind == 1)) } else { value(rest, kind, depth)? };
        fields.push((number, value));
    }
}

fn value<'a>(rest: &mut &'a [u8], kind: u8, depth: usize) -> Option<Value<'a>> {
    if depth > DEEPEST {
        return None;
    }
    Some(match kind {
        1..=3 => Value::Int(i64::from(byte(rest)? as i8)),
        4..=6 => Value::Int(zigzag(rest)?),
        7 => {
            take(rest, 8)?;
            Value::Other
        }
        8 => {
            let count = usize::try_from(varint(rest)?).ok()?;
            Value::Bytes(take(rest, count)?)
        }
        9 | 10 => {
            let head = byte(rest)?;
            let count = if head >> 4 == 15 { varint(rest)? } else { u64::from(head >> 4) };
            // Every element has a byte at least.
            let count = usize::try_from(count).ok().filter(|count| *count <= rest.len())?;
            Value::List((0..count).map(|_| value(rest, head & 0xf, depth + 1)).collect::<Option<_>>()?)
        }
        12 => structure(rest, depth + 1)?,
        _ => return None,
    })
}

fn take<'a>(rest: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    let (taken, left) = rest.split_at_checked(count)?;
    *rest = left;
    Some(taken)
}

fn byte(rest: &mut &[u8]) -> Option<u8> {
    take(rest, 1).map(|bytes| bytes[0])
}

fn varint(rest: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let byte = byte(rest)?;
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
}

fn zigzag(rest: &mut &[u8]) -> Option<i64> {
    varint(rest).map(|value| (value >> 1) as i64 ^ -((value & 1) as i64))
}
