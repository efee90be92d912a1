//! XML with places: what is read from an element, and what is wrong with it.

use std::ops::Range;

use mbs::declaration::Location;
use mbs_model::{ModelError, SourceText};
use roxmltree::{Document, Node, ParsingOptions};

use crate::notes::Note;

/// Largest number that is taken for one: its cube times a density is still finite.
pub(crate) const LARGEST: f64 = 1e60;
/// Most nodes of a document.
const MOST_NODES: u32 = 5_000_000;

/// A tree, or the error at its place.
///
/// # Errors
/// Text that is not XML.
pub(crate) fn parse(source: &SourceText) -> Result<Document<'_>, ModelError> {
    let options = ParsingOptions { allow_dtd: true, nodes_limit: MOST_NODES, ..ParsingOptions::default() };
    Document::parse_with_options(&source.text, options).map_err(|error| {
        let place = error.pos();
        if let roxmltree::Error::DuplicatedAttribute(name, _) = &error {
            let start = offset(source, place.row, place.col);
            let message = format!("this is not XML: an element has the attribute `{name}` twice");
            return ModelError::in_source(
                source,
                start,
                start + name.len(),
                message,
                Some("keep one of them".to_owned()),
            );
        }
        let text = error.to_string();
        let plain = text.rsplit_once(" at ").map_or(text.as_str(), |(plain, _)| plain);
        let start = offset(source, place.row, place.col);
        ModelError::in_source(source, start, start + 1, format!("this is not XML: {plain}"), None)
    })
}

/// Byte offset of a line and a column, both from 1.
fn offset(source: &SourceText, row: u32, column: u32) -> usize {
    let before: usize = source.text.split_inclusive('\n').take(row.saturating_sub(1) as usize).map(str::len).sum();
    let line = source.text.get(before..).unwrap_or("");
    let within = line.char_indices().nth(column.saturating_sub(1) as usize).map_or(line.len(), |(at, _)| at);
    before + within
}

/// What reading a file leaves besides its content.
#[derive(Debug, Default)]
pub(crate) struct Report {
    /// Texts of all files.
    pub sources: Vec<SourceText>,
    /// What is wrong.
    pub errors: Vec<ModelError>,
    /// What was not taken over.
    pub notes: Vec<Note>,
}

/// A file that is being read: its number among the sources.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FileId(pub u32);

/// An element with its file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Element<'a> {
    /// The node.
    pub node: Node<'a, 'a>,
    /// Its file.
    pub file: FileId,
}

impl<'a> Element<'a> {
    /// Name of the tag.
    pub fn tag(self) -> &'a str {
        self.node.tag_name().name()
    }

    /// Elements inside.
    pub fn children(self) -> impl Iterator<Item = Element<'a>> {
        self.node.children().filter(Node::is_element).map(move |node| Element { node, file: self.file })
    }

    /// Elements inside with a tag.
    pub fn all(self, tag: &'static str) -> impl Iterator<Item = Element<'a>> {
        self.children().filter(move |child| child.tag() == tag)
    }

    /// The first element inside with a tag.
    pub fn child(self, tag: &'static str) -> Option<Element<'a>> {
        self.all(tag).next()
    }

    /// An attribute.
    pub fn text(self, name: &str) -> Option<&'a str> {
        self.node.attribute(name)
    }

    /// Line of the element.
    pub fn location(self, report: &Report) -> Location {
        let source = report.source(self.file);
        let (line, column) = source.position(self.node.range().start);
        Location { file: self.file.0, line, column, key: None }
    }

    /// How messages call it: tag and name.
    pub fn called(self) -> String {
        match self.text("name").or_else(|| self.text("link")).or_else(|| self.text("joint")) {
            Some(name) => format!("<{} \"{name}\">", self.tag()),
            None => format!("<{}>", self.tag()),
        }
    }

    /// As [`Element::called`]; without a name of its own, with the nearest one around it.
    pub fn described(self) -> String {
        if self.text("name").is_some() {
            return self.called();
        }
        let around = self.node.ancestors().skip(1).filter(Node::is_element).find(|node| node.has_attribute("name"));
        match around {
            Some(node) if node.parent_element().is_some() => {
                format!("{} of {}", self.called(), Element { node, file: self.file }.called())
            }
            _ => self.called(),
        }
    }

    /// Names of the attributes without a name space.
    pub fn attributes(self) -> impl Iterator<Item = &'a str> {
        self.node.attributes().filter(|attribute| attribute.namespace().is_none()).map(|attribute| attribute.name())
    }

    fn tag_range(self) -> Range<usize> {
        let start = self.node.range().start;
        start..start + 1 + self.tag().len()
    }

    fn attribute_range(self, name: &str) -> Range<usize> {
        self.node.attributes().find(|a| a.name() == name).map_or_else(|| self.tag_range(), |a| a.range())
    }
}

impl Report {
    /// Adds a file.
    pub fn add(&mut self, source: SourceText) -> FileId {
        self.sources.push(source);
        FileId(u32::try_from(self.sources.len() - 1).unwrap_or(u32::MAX))
    }

    /// Text of a file.
    pub fn source(&self, file: FileId) -> &SourceText {
        &self.sources[file.0 as usize]
    }

    /// An error about an element.
    pub fn error(&mut self, at: Element, message: impl Into<String>, hint: Option<&str>) {
        self.fault(at.file, at.tag_range(), message.into(), hint);
    }

    /// An error about an attribute of an element.
    pub fn attribute_error(&mut self, at: Element, name: &str, message: impl Into<String>, hint: Option<&str>) {
        self.fault(at.file, at.attribute_range(name), message.into(), hint);
    }

    fn fault(&mut self, file: FileId, range: Range<usize>, message: String, hint: Option<&str>) {
        let hint = hint.map(str::to_owned);
        let error = ModelError::in_source(self.source(file), range.start, range.end, message, hint);
        self.errors.push(error);
    }

    /// A remark on an attribute that no element of this kind has.
    pub fn unknown_attribute(&mut self, at: Element, name: &str, known: &[&str]) {
        let near = mbs::expr::nearest(name, known.iter().copied());
        let hint = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
        self.note(at, format!("ignored: there is no attribute `{name}`{hint}"));
    }

    /// A remark on an element.
    pub fn note(&mut self, at: Element, message: impl Into<String>) {
        self.note_as(at, at.described(), message);
    }

    /// A remark on an element under a name of its own.
    pub fn note_as(&mut self, at: Element, element: String, message: impl Into<String>) {
        let location = at.location(self);
        let file = self.source(at.file).name.clone();
        self.notes.push(Note { file, location, element, message: message.into() });
    }

    /// Numbers of an attribute; an error if they are no numbers.
    pub fn numbers(&mut self, at: Element, name: &str) -> Option<Vec<f64>> {
        let text = at.text(name)?;
        let read: Result<Vec<f64>, &str> = text.split_whitespace().map(|word| number(word).ok_or(word)).collect();
        match read {
            Ok(numbers) => Some(numbers),
            Err(word) => {
                let size = if word.parse::<f64>().is_ok() { ", finite and at most 1e60" } else { "" };
                let message = format!("`{name}` of {} has `{word}` where a number belongs{size}", at.described());
                self.attribute_error(at, name, message, None);
                None
            }
        }
    }

    /// As many numbers as there must be.
    pub fn exactly<const N: usize>(&mut self, at: Element, name: &str) -> Option<[f64; N]> {
        let numbers = self.numbers(at, name)?;
        let count = numbers.len();
        let array = <[f64; N]>::try_from(numbers).ok();
        if array.is_none() {
            let plural = if N == 1 { "number" } else { "numbers" };
            let message = format!("`{name}` of {} must be {N} {plural}, it has {count}", at.described());
            self.attribute_error(at, name, message, None);
        }
        array
    }

    /// One number.
    pub fn number(&mut self, at: Element, name: &str) -> Option<f64> {
        self.exactly::<1>(at, name).map(|[value]| value)
    }

    /// One number that must be there.
    pub fn required(&mut self, at: Element, name: &str) -> Option<f64> {
        if at.text(name).is_none() {
            self.error(at, format!("{} needs the attribute `{name}`", at.described()), None);
        }
        self.number(at, name)
    }

    /// A text that must be there.
    pub fn required_text<'a>(&mut self, at: Element<'a>, name: &str) -> Option<&'a str> {
        let text = at.text(name).map(str::trim).filter(|text| !text.is_empty());
        if text.is_none() {
            self.error(at, format!("{} needs the attribute `{name}`", at.described()), None);
        }
        text
    }
}

/// A number as XML files write it, not so large that calculating with it leaves the range of numbers.
pub(crate) fn number(word: &str) -> Option<f64> {
    word.parse().ok().filter(|value: &f64| value.abs() <= LARGEST)
}
