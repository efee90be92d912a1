//! Which pairs of shapes may collide at all.

/// Properties of a shape for the broad phase besides its box.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ShapeFilter {
    /// The rigid body (super-object) that carries the shape; shapes of one body never collide.
    pub body: u32,
    /// Whether the shape is at rest in W; static shapes never collide with each other.
    pub is_static: bool,
    /// Groups that the shape belongs to, one bit each.
    pub category: u32,
    /// Groups that the shape collides with, one bit each; 0 for a shape that never collides.
    pub mask: u32,
    /// What kind of solid it belongs to, and the kinds of solids that meet it.
    pub role: PairRole,
}

/// Kinds of solids, by which others choose what of them meets such a solid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SolidKind {
    /// A sphere.
    Sphere,
    /// Curved everywhere: it touches a convex solid at one point, which moves steadily.
    Ellipsoid,
    /// With straight or flat sides.
    Sided,
    /// Flat ground without end.
    Ground,
}

/// A set of kinds of solids.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SolidKinds(u8);

impl SolidKinds {
    /// All kinds.
    pub const ALL: Self = Self(u8::MAX);

    /// One kind.
    #[must_use]
    pub const fn only(kind: SolidKind) -> Self {
        Self(1 << kind as u8)
    }

    /// The set without the kinds of another one.
    #[must_use]
    pub const fn without(self, kinds: Self) -> Self {
        Self(self.0 & !kinds.0)
    }

    /// The kinds of both sets.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    const fn contains(self, kind: SolidKind) -> bool {
        self.0 & Self::only(kind).0 != 0
    }
}

/// A solid may consist of several shapes that stand for it towards different kinds of solids: a capsule meets a ball as
/// a whole, a box with its shaft and its half spheres, and flat ground with its two lowest points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairRole {
    /// Kind of the solid that the shape belongs to.
    pub kind: SolidKind,
    /// Kinds of solids that the shape meets.
    pub meets: SolidKinds,
    /// Its radius if the solid is a sphere, otherwise 0 \[m\].
    pub radius: f64,
    /// Radii of the spheres that it meets \[m\]: from the first up to below the second.
    pub radii: [f64; 2],
}

impl PairRole {
    /// A shape that meets all others.
    pub const ANY: Self = Self::new(SolidKind::Sided, SolidKinds::ALL);

    /// A shape of a solid of `kind` that meets solids of the kinds `meets`, spheres of any radius.
    #[must_use]
    pub const fn new(kind: SolidKind, meets: SolidKinds) -> Self {
        Self { kind, meets, radius: 0.0, radii: [0.0, f64::INFINITY] }
    }

    /// Whether the shape meets flat ground only.
    #[must_use]
    pub fn is_ground_point(self) -> bool {
        self.meets == SolidKinds::only(SolidKind::Ground)
    }

    fn is_mutual(self, other: Self) -> bool {
        self.collides_with(other) && other.collides_with(self)
    }

    fn collides_with(self, other: Self) -> bool {
        let [least, limit] = self.radii;
        self.meets.contains(other.kind) && (other.kind != SolidKind::Sphere || (least..limit).contains(&other.radius))
    }
}

impl ShapeFilter {
    /// A shape of a moving body, in all groups.
    #[must_use]
    pub fn moving(body: u32) -> Self {
        Self { body, is_static: false, category: u32::MAX, mask: u32::MAX, role: PairRole::ANY }
    }

    /// A shape at rest, in all groups.
    #[must_use]
    pub fn fixed(body: u32) -> Self {
        Self { is_static: true, ..Self::moving(body) }
    }

    fn accepts(&self, other: &Self) -> bool {
        self.body != other.body
            && !(self.is_static && other.is_static)
            && self.category & other.mask != 0
            && other.category & self.mask != 0
            && self.role.is_mutual(other.role)
    }
}

/// Rules that exclude pairs of shapes; the same for (i, j) and (j, i).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PairFilter {
    shapes: Vec<ShapeFilter>,
    excluded_shapes: SortedPairs,
    excluded_bodies: SortedPairs,
    /// Pairs of shapes that something holds at present.
    held: SortedPairs,
    /// Whether a shape has a partner that it may collide with; valid after [`PairFilter::find_partners`].
    has_partner: Vec<bool>,
}

impl PairFilter {
    /// Rules for the given shapes, which are numbered in their order.
    ///
    /// `excluded_shapes`: pairs of shapes that must not collide. `excluded_bodies`: pairs of bodies none of whose
    /// shapes collide, for example those on both sides of a joint. Order within and of the pairs is free.
    #[must_use]
    pub fn new(shapes: Vec<ShapeFilter>, excluded_shapes: &[(u32, u32)], excluded_bodies: &[(u32, u32)]) -> Self {
        Self {
            shapes,
            excluded_shapes: SortedPairs::new(excluded_shapes),
            excluded_bodies: SortedPairs::new(excluded_bodies),
            held: SortedPairs::default(),
            has_partner: Vec::new(),
        }
    }

    /// Determines which shapes may collide with any other one, once all shapes and exclusions are set.
    pub(crate) fn find_partners(&mut self) {
        self.has_partner.clear();
        let n = self.shapes.len() as u32;
        // Neighbours in the list mostly have the same partners.
        let mut last = 0;
        for i in 0..n {
            let silent = self.shapes[i as usize].mask == 0;
            let may_meet = |j: &u32| *j != i && self.allows(i, *j);
            let partner = if silent { None } else { std::iter::once(last).chain(0..n).find(may_meet) };
            last = partner.unwrap_or(last);
            self.has_partner.push(partner.is_some());
        }
    }

    /// Whether shape `i` moves, and there is another one with which it may collide.
    pub(crate) fn may_strike(&self, i: u32) -> bool {
        self.moves(i) && self.has_partner.get(i as usize).is_none_or(|has_partner| *has_partner)
    }

    /// Removes all shapes and exclusions of bodies, keeping the memory; exclusions of shapes stay.
    pub(crate) fn clear_shapes(&mut self) {
        self.shapes.clear();
        self.has_partner.clear();
        self.excluded_bodies.0.clear();
        self.held.0.clear();
    }

    /// Adds the next shape.
    pub(crate) fn add_shape(&mut self, shape: ShapeFilter) {
        self.shapes.push(shape);
    }

    /// Excludes pairs of bodies, once all shapes are known.
    pub(crate) fn exclude_bodies(&mut self, pairs: impl Iterator<Item = (u32, u32)>) {
        self.excluded_bodies.set(pairs);
    }

    /// Excludes the pairs of shapes that something holds, and no other ones that were held before.
    pub(crate) fn set_held(&mut self, pairs: impl Iterator<Item = (u32, u32)>) {
        self.held.set(pairs);
    }

    /// Becomes equal to another filter in the memory that is there.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        self.shapes.clone_from(&other.shapes);
        self.excluded_shapes.0.clone_from(&other.excluded_shapes.0);
        self.excluded_bodies.0.clone_from(&other.excluded_bodies.0);
        self.held.0.clone_from(&other.held.0);
        self.has_partner.clone_from(&other.has_partner);
    }

    /// Number of shapes.
    #[must_use]
    pub fn num_shapes(&self) -> usize {
        self.shapes.len()
    }

    /// Whether shapes `i` and `j` may collide at present: nothing holds them.
    #[must_use]
    #[inline]
    pub fn allows(&self, i: u32, j: u32) -> bool {
        self.may_meet(i, j) && !self.held.contains(i, j)
    }

    /// Whether shapes `i` and `j` may collide, or are held because they have met.
    #[must_use]
    #[inline]
    pub fn may_meet(&self, i: u32, j: u32) -> bool {
        let (a, b) = (&self.shapes[i as usize], &self.shapes[j as usize]);
        a.accepts(b) && !self.excluded_bodies.contains(a.body, b.body) && !self.excluded_shapes.contains(i, j)
    }

    /// Whether shape `i` meets flat ground only.
    #[must_use]
    pub fn is_ground_point(&self, i: u32) -> bool {
        self.shapes[i as usize].role.is_ground_point()
    }

    /// Whether shape `i`, which does not exist at present, might collide with shape `j` if it did and had the given
    /// filter.
    pub(crate) fn would_allow(&self, i: u32, filter: &ShapeFilter, j: u32) -> bool {
        filter.accepts(&self.shapes[j as usize]) && !self.excluded_shapes.contains(i, j)
    }

    /// Whether shape `i` can collide with static shapes, that is, whether it moves.
    pub(crate) fn moves(&self, i: u32) -> bool {
        !self.shapes[i as usize].is_static
    }
}

/// Set of unordered pairs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct SortedPairs(Vec<(u32, u32)>);

impl SortedPairs {
    fn new(pairs: &[(u32, u32)]) -> Self {
        let mut sorted = Self::default();
        sorted.set(pairs.iter().copied());
        sorted
    }

    fn set(&mut self, pairs: impl Iterator<Item = (u32, u32)>) {
        self.0.clear();
        self.0.extend(pairs.map(|(i, j)| (i.min(j), i.max(j))));
        self.0.sort_unstable();
        self.0.dedup();
    }

    #[inline]
    fn contains(&self, i: u32, j: u32) -> bool {
        self.0.binary_search(&(i.min(j), i.max(j))).is_ok()
    }
}
