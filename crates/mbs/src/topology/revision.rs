//! Revisions: numbers that identify the parts of a topology that are still valid.

/// A number that one counter issues only once: data of the same revision are equal, bit by bit. Zero is never issued.
pub(super) type Revision = u64;

/// Gives revisions.
#[derive(Debug, Clone, Default)]
pub(super) struct RevisionCounter(Revision);

impl RevisionCounter {
    /// The next revision.
    pub fn next(&mut self) -> Revision {
        self.0 += 1;
        self.0
    }
}

/// The key that something was computed from, with the revision of the result.
#[derive(Debug, Clone, Default)]
pub(super) struct Cached<K> {
    key: Option<K>,
    revision: Revision,
}

impl<K: PartialEq> Cached<K> {
    /// The revision of data computed from a key: unchanged while the key is unchanged.
    pub fn from(&mut self, key: K, revisions: &mut RevisionCounter) -> Revision {
        if self.key.as_ref() != Some(&key) {
            (self.key, self.revision) = (Some(key), revisions.next());
        }
        self.revision
    }
}

/// Revisions that the parts of a topology were computed from, so that a compiler that reuses its memory can keep them.
/// Not part of the topology's content.
#[derive(Clone, Default)]
pub(super) struct Origins {
    /// Per node.
    pub nodes: Vec<NodeOrigin>,
    /// Per object, by its index: the frame of its super-object in the node's body frame, and its place in the
    /// super-object.
    pub placements: Vec<[Revision; 2]>,
}

impl Origins {
    /// Invalidates the revisions of the nodes, which have been changed since.
    pub fn forget_nodes(&mut self) {
        self.nodes.fill(NodeOrigin { made: Revision::MAX, ..NodeOrigin::default() });
    }
}

impl std::fmt::Debug for Origins {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Origins")
    }
}

/// What a node was made from.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct NodeOrigin {
    /// The connection and the frame it starts from.
    pub made: Revision,
    /// Place of the node in the chain of its connection.
    pub link: usize,
    /// What its inertia was merged from: frame of the super-object, when it was gathered, number of leaves cut from it.
    pub inertia: Option<(Revision, Revision, usize)>,
}
