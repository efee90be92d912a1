//! Stamps by which a compiler knows what it has made before.

/// A number that one compiler gives only once; what has the same stamp is the same, bit by bit. Zero is never given.
pub(super) type Stamp = u64;

/// Gives stamps.
#[derive(Debug, Clone, Default)]
pub(super) struct Clock(Stamp);

impl Clock {
    /// The next stamp.
    pub fn next(&mut self) -> Stamp {
        self.0 += 1;
        self.0
    }
}

/// What stands at present, and what it was made from: made anew when that changes.
#[derive(Debug, Clone, Default)]
pub(super) struct Made<K> {
    key: Option<K>,
    stamp: Stamp,
}

impl<K: PartialEq> Made<K> {
    /// The stamp of what is made from a key: the same as long as the key is.
    pub fn from(&mut self, key: K, clock: &mut Clock) -> Stamp {
        if self.key.as_ref() != Some(&key) {
            (self.key, self.stamp) = (Some(key), clock.next());
        }
        self.stamp
    }
}

/// What the parts of a topology were made from, so that a compiler that writes over it can leave them. No part of what a topology says.
#[derive(Clone, Default)]
pub(super) struct Origins {
    /// Per node.
    pub nodes: Vec<NodeOrigin>,
    /// Per object, by its index: the frame of its super-object in the node's body frame, and its place in the super-object.
    pub placements: Vec<[Stamp; 2]>,
}

impl Origins {
    /// Forgets what the nodes were made from: they have been changed since.
    pub fn forget_nodes(&mut self) {
        self.nodes.fill(NodeOrigin { made: Stamp::MAX, ..NodeOrigin::default() });
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
    pub made: Stamp,
    /// Place of the node in the chain of its connection.
    pub link: usize,
    /// What its inertia was merged from: frame of the super-object, when it was gathered, number of leaves cut from it.
    pub inertia: Option<(Stamp, Stamp, usize)>,
}
