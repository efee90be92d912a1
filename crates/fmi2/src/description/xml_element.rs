//! One XML element under construction.

use std::borrow::Cow;
use std::io;

use quick_xml::Writer;
use quick_xml::events::attributes::Attribute;
use quick_xml::events::{BytesEnd, BytesStart, Event};
use quick_xml::name::QName;

/// The document that is being written.
pub(super) type Xml = Writer<Vec<u8>>;

/// An element with attributes in the order added.
pub(super) struct Element(BytesStart<'static>);

impl Element {
    /// An element without attributes.
    pub(super) fn new(name: &str) -> Self {
        Self(BytesStart::new(name.to_owned()))
    }

    /// Adds an attribute.
    pub(super) fn text(mut self, name: &str, value: &str) -> Self {
        let value = escape(value);
        self.0.push_attribute(Attribute { key: QName(name), value: Cow::Borrowed(&value) });
        self
    }

    /// Adds an attribute if there is a value.
    pub(super) fn optional(self, name: &str, value: Option<&str>) -> Self {
        match value {
            Some(value) => self.text(name, value),
            None => self,
        }
    }

    /// Adds a truth value.
    pub(super) fn flag(self, name: &str, value: bool) -> Self {
        self.text(name, if value { "true" } else { "false" })
    }

    /// Adds a number if there is one.
    pub(super) fn number(self, name: &str, value: Option<f64>) -> Self {
        self.optional(name, value.map(number).as_deref())
    }

    /// Adds a whole number if there is one.
    pub(super) fn integer(self, name: &str, value: Option<i32>) -> Self {
        self.optional(name, value.map(|value| value.to_string()).as_deref())
    }

    /// Writes the element without content.
    pub(super) fn empty(self, xml: &mut Xml) -> io::Result<()> {
        xml.write_event(Event::Empty(self.0))
    }

    /// Writes the element with what `content` writes inside.
    pub(super) fn with(self, xml: &mut Xml, content: impl FnOnce(&mut Xml) -> io::Result<()>) -> io::Result<()> {
        let end = BytesEnd::new(self.0.name().0.to_owned());
        xml.write_event(Event::Start(self.0))?;
        content(xml)?;
        xml.write_event(Event::End(end))
    }
}

/// Shortest text that reads back as the same number.
pub(super) fn number(value: f64) -> String {
    format!("{value:?}")
}

/// Escapes an attribute value. Line breaks and tabs are kept by character references, which attribute-value
/// normalisation would otherwise turn into blanks; characters that XML cannot hold become U+FFFD.
fn escape(value: &str) -> String {
    let mut escaped = String::with_capacity(value.len());
    for c in value.chars() {
        match c {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '"' => escaped.push_str("&quot;"),
            '\t' => escaped.push_str("&#9;"),
            '\n' => escaped.push_str("&#10;"),
            '\r' => escaped.push_str("&#13;"),
            '\u{FFFE}' | '\u{FFFF}' => escaped.push('\u{FFFD}'),
            c if c < ' ' => escaped.push('\u{FFFD}'),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_back_as_themselves() {
        for value in [0.1, 1.0, 1e-300, 1e300, -0.0, std::f64::consts::PI, 5e-324] {
            assert_eq!(number(value).parse::<f64>().map(f64::to_bits), Ok(value.to_bits()));
        }
        assert_eq!(number(1e300), "1e300");
    }

    #[test]
    fn attributes_keep_line_breaks_and_quotes() {
        assert_eq!(escape("a<b & \"c\"\n\u{1}"), "a&lt;b &amp; &quot;c&quot;&#10;\u{FFFD}");
    }
}
