//! Coulomb friction of a hinge, in the plane of contact.
//!
//! With the sum N of the normal forces, their centre c, the sliding velocity `u_c` there and the spin w, friction acts
//! at the centre with the force f and the torque m,
//!
//! ```text
//! s = (u_c, r w)    (f, m / r) = -mu N s / |s|
//! ```
//!
//! the law of greatest dissipation for the ellipsoid `|f|² + (m / r)² = (mu N)²` (R. D. Howe & M. R. Cutkosky, *Int. J.
//! Robotics Research* 15, 1996, 531-549). It holds the bodies while what they need is inside. The length r is zero at
//! one point, and for a face the mean distance of its points from c: a uniform pressure resists spinning alone as much.
//!
//! Rolling resistance brakes the part `w_t` of the angular velocity along the plane, with the radius R of what rolls and
//! the same regularised direction as on the elastic law,
//!
//! ```text
//! m_t = -mu_r R N e_reg(w_t, w_min)
//! ```
//!
//! Near the end of sliding, where the direction of s loses its meaning, it is kept: below the speed `least`, s is
//! replaced by `s + (least - s . d) d` with the direction d of sliding in the step before.

use serde::{Deserialize, Serialize};

use super::MOST_SUPPORTS;
use crate::contact::regularization::linearized_direction;
use crate::math::{Mat3, Vec3};

/// Two components in the plane of contact and the one about its normal: of sliding \[m/s, m/s, rad/s\], of efforts
/// \[N, N, N m\], or all three alike.
pub type Planar = [f64; 3];

/// Friction of a hinge.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Friction {
    /// Coefficient of friction.
    pub mu: f64,
    /// Torque against spinning over the force against sliding \[m\].
    pub radius: f64,
    /// Speed below which the direction of sliding is kept \[m/s\].
    pub least: f64,
    /// Direction of the first component, roughly along the plane of contact, in the frame of the body that `carrier`
    /// names: 0 for A, 1 for B.
    #[serde(with = "crate::math::components")]
    pub tangent: Vec3,
    /// Whose direction it is.
    pub carrier: usize,
    /// What friction does.
    pub mode: FrictionMode,
    /// Resistance against rolling.
    pub rolling: Rolling,
}

/// Resistance against rolling.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Rolling {
    /// Greatest torque over the normal force \[m\].
    pub lever: f64,
    /// Angular velocity below which it is proportional to that \[rad/s\].
    pub w_min: f64,
}

impl Rolling {
    /// Torque on B over the normal force, for the angular velocity of B relative to A and the unit normal \[m\], and its
    /// derivative by the angular velocity \[m s\].
    #[must_use]
    pub fn resist(&self, w: &Vec3, normal: &Vec3) -> (Vec3, Mat3) {
        if self.lever == 0.0 {
            return (Vec3::zeros(), Mat3::zeros());
        }
        let across = Mat3::identity() - normal * normal.transpose();
        let direction = linearized_direction(&(across * w), self.w_min);
        (-self.lever * direction.value, -self.lever * (direction.slope * across))
    }

    pub(super) fn is_sound(&self) -> bool {
        self.lever == 0.0 || (self.lever > 0.0 && self.lever.is_finite() && self.w_min > 0.0)
    }
}

/// What friction does.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum FrictionMode {
    /// Nothing.
    Absent,
    /// It holds.
    Sticks,
    /// It brakes; the unit direction d in which B slides on A, the spin as `r w`.
    Slides(Planar),
}

/// Normal forces of the supports.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pressure {
    /// Forces \[N\].
    pub loads: [f64; MOST_SUPPORTS],
    /// Places in the plane, relative to its origin \[m\].
    pub places: [[f64; 2]; MOST_SUPPORTS],
}

/// Derivatives of the efforts of sliding: rows are efforts.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct SlidingSlopes {
    /// By the loads.
    pub by_load: [[f64; MOST_SUPPORTS]; 3],
    /// By the sliding at the origin.
    pub by_slip: [[f64; 3]; 3],
}

impl Pressure {
    /// Sum of the normal forces \[N\].
    #[must_use]
    pub fn sum(&self) -> f64 {
        self.loads.iter().sum()
    }

    /// Their centre \[m\]; the origin where they have none.
    #[must_use]
    pub fn center(&self) -> [f64; 2] {
        let sum = self.sum();
        let moment = |k: usize| self.loads.iter().zip(&self.places).map(|(load, place)| load * place[k]).sum::<f64>();
        let (x, y) = (moment(0) / sum, moment(1) / sum);
        if x.is_finite() && y.is_finite() { [x, y] } else { [0.0; 2] }
    }
}

impl Friction {
    /// The sliding s at the centre of the pressure \[m/s\] for that at the origin.
    #[must_use]
    pub fn sliding(&self, pressure: &Pressure, [u, v, w]: &Planar) -> Planar {
        let [x, y] = pressure.center();
        [u - w * y, v + w * x, self.radius * w]
    }

    /// Unit direction of sliding, the speed by which its changes are divided \[m/s\], and whether the direction d takes
    /// part.
    fn direction(&self, s: &Planar, d: &Planar) -> (Planar, f64, bool) {
        let missing = (self.least - dot(s, d)).max(0.0);
        let kept = add(s, d, missing);
        let speed = norm(&kept);
        (kept.map(|x| x / speed), speed, missing > 0.0)
    }

    /// Efforts of sliding on B about the origin of the plane, for the direction `d` kept from before.
    #[must_use]
    pub fn efforts(&self, pressure: &Pressure, slip: &Planar, d: &Planar) -> Planar {
        let (e, _, _) = self.direction(&self.sliding(pressure, slip), d);
        let bound = self.mu * pressure.sum();
        let arm = |[x, y]: &[f64; 2]| x * e[1] - y * e[0];
        let moment: f64 = pressure.loads.iter().zip(&pressure.places).map(|(load, place)| load * arm(place)).sum();
        [-bound * e[0], -bound * e[1], -self.mu * moment - bound * self.radius * e[2]]
    }

    /// Derivatives of [`Friction::efforts`].
    #[must_use]
    pub fn slopes(&self, pressure: &Pressure, slip: &Planar, d: &Planar) -> SlidingSlopes {
        let (e, speed, is_kept) = self.direction(&self.sliding(pressure, slip), d);
        let ([x, y], bound) = (pressure.center(), self.mu * pressure.sum());
        let mut slopes = SlidingSlopes::default();
        // Change of the efforts with the direction, for a change of sliding at the centre.
        let turned = |ds: Planar| -> Planar {
            let ds = if is_kept { add(&ds, d, -dot(&ds, d)) } else { ds };
            let e = add(&ds, &e, -dot(&ds, &e)).map(|x| x / speed);
            [-bound * e[0], -bound * e[1], -bound * (x * e[1] - y * e[0] + self.radius * e[2])]
        };
        let sum = pressure.sum();
        for (i, place) in pressure.places.iter().enumerate() {
            let moment = place[0] * e[1] - place[1] * e[0] + self.radius * e[2];
            // The centre moves with the loads.
            let moved = [place[0] - x, place[1] - y].map(|x| if sum == 0.0 { 0.0 } else { slip[2] * x / sum });
            let turned = turned([-moved[1], moved[0], 0.0]);
            for (row, value) in [e[0], e[1], moment].into_iter().enumerate() {
                slopes.by_load[row][i] = turned[row] - self.mu * value;
            }
        }
        let moves = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [-y, x, self.radius]];
        for (column, ds) in moves.into_iter().enumerate() {
            for (row, value) in turned(ds).into_iter().enumerate() {
                slopes.by_slip[row][column] = value;
            }
        }
        slopes
    }

    /// Efforts on B about the centre of the pressure, the torque over the length r \[N\], for those about the origin.
    #[must_use]
    pub fn about_center(&self, pressure: &Pressure, [f, g, moment]: &Planar) -> Planar {
        let [x, y] = pressure.center();
        [*f, *g, if self.radius > 0.0 { (moment - (x * g - y * f)) / self.radius } else { 0.0 }]
    }

    /// The inverse of [`Friction::about_center`].
    #[must_use]
    pub fn about_origin(&self, pressure: &Pressure, [f, g, spin]: &Planar) -> Planar {
        let [x, y] = pressure.center();
        [*f, *g, self.radius * spin + x * g - y * f]
    }

    /// What efforts that hold on B need of the friction at hand, 1 for all of it, and the direction in which B slides
    /// when they need more.
    #[must_use]
    pub fn need(&self, pressure: &Pressure, efforts: &Planar) -> (f64, Planar) {
        let needed = self.about_center(pressure, efforts);
        let size = norm(&needed);
        let direction = if size > 0.0 { needed.map(|x| -x / size) } else { [1.0, 0.0, 0.0] };
        let bound = self.mu * pressure.sum();
        (if size == 0.0 { 0.0 } else { size / bound.max(f64::MIN_POSITIVE) }, direction)
    }
}

/// Product of two planar vectors.
#[must_use]
pub fn dot(a: &Planar, b: &Planar) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Length of a planar vector.
#[must_use]
pub fn norm(a: &Planar) -> f64 {
    dot(a, a).sqrt()
}

fn add(a: &Planar, b: &Planar, factor: f64) -> Planar {
    [0, 1, 2].map(|k| a[k] + factor * b[k])
}
