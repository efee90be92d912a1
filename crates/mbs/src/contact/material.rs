//! The law of one pair of shapes before a contact starts.

use super::patch::central_pressures;
use super::restitution::restitution_damping;
use super::{ContactConstants, ContactError, Curvature, PairGeometry, Relaxation, regularized_magnitude};
use crate::collision::ConvexShape;
use crate::material::{ConstantsRule, ContactLaw, Damping, Material, MaterialPair, Resting};
use serde::{Deserialize, Serialize};

/// Constants of the law that are not material data.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ContactOptions {
    /// Factor of the normal force, besides that of the pair; below 1 contacts become softer and cheaper to integrate.
    pub k_red: f64,
    /// Lower limit of the regularised coefficient of restitution.
    pub cor_min: f64,
    /// Upper limit of the damping coefficient \[s/m\]; that of a pair is at least the reciprocal of its `v_min`, so
    /// that impacts that are not slow rebound as they should, whatever the scale of time.
    pub d_max: f64,
    /// How the constants of a contact follow its motion.
    pub constants: ConstantsRule,
    /// Default law of pairs.
    pub law: ContactLaw,
    /// What rigid bodies that stay together rest on.
    pub resting: Resting,
}

/// Fraction of an impact's approach velocity below which friction is regularised while the contact lasts. An oblique
/// impact changes its speed by less than 5e-4 of itself by that.
const REGULARIZED: f64 = 0.1;

impl Default for ContactOptions {
    fn default() -> Self {
        Self {
            k_red: 1.0,
            cor_min: 0.001,
            d_max: 1000.0,
            constants: ConstantsRule::default(),
            law: ContactLaw::default(),
            resting: Resting::default(),
        }
    }
}

impl ContactOptions {
    fn validate(&self, a: &str, b: &str) -> Result<(), ContactError> {
        let is_positive = |value: f64| value > 0.0 && value.is_finite();
        let is_not_negative = |value: f64| value >= 0.0 && value.is_finite();
        let is_ratio = self.cor_min > 0.0 && self.cor_min <= 1.0;
        for (option, value, unit, is_right, requirement) in [
            ("k_red", self.k_red, "", is_positive(self.k_red), "positive"),
            ("cor_min", self.cor_min, "", is_ratio, "above 0 and at most 1"),
            ("d_max", self.d_max, "s/m", is_not_negative(self.d_max), "zero or positive"),
        ] {
            if !is_right {
                let (a, b) = (a.to_string(), b.to_string());
                return Err(ContactError::Option { a, b, option, value, unit, requirement });
            }
        }
        Ok(())
    }
}

/// Properties of a pair of shapes for the contact law; the same for (A, B) and (B, A).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactMaterial {
    /// `E/(1 - nu^2)` of A \[Pa\] (eq. 8).
    pub c_a: f64,
    /// `E/(1 - nu^2)` of B \[Pa\].
    pub c_b: f64,
    /// Behaviour of the two materials in contact.
    pub pair: MaterialPair,
    /// Coefficients from the shapes.
    pub geometry: PairGeometry,
    /// Further constants.
    pub options: ContactOptions,
    /// Pressures at the centres of A and B \[Pa\] if both are polyhedra, without the factors `k_red`.
    pub fields: Option<[f64; 2]>,
    /// Whether the shapes are such that hinges can hold them.
    pub can_be_hinged: bool,
}

impl ContactMaterial {
    /// The law of two shapes of the given materials and curvatures.
    ///
    /// # Errors
    /// A radius that is not positive, two shapes of infinite extent, or an option outside its range.
    pub fn new(
        (material_a, a): (&Material, Curvature),
        (material_b, b): (&Material, Curvature),
        pair: MaterialPair,
        options: ContactOptions,
    ) -> Result<Self, ContactError> {
        options.validate(&material_a.name, &material_b.name)?;
        for (material, curvature) in [(material_a, a), (material_b, b)] {
            let radius = curvature.radius();
            if radius.is_nan() || radius <= 0.0 {
                return Err(ContactError::Radius { material: material.name.clone(), radius });
            }
        }
        let geometry = PairGeometry::of(a, b);
        if !geometry.mu_geo.is_finite() {
            return Err(ContactError::BothFlat { a: material_a.name.clone(), b: material_b.name.clone() });
        }
        let (c_a, c_b) = (material_a.plane_strain_modulus(), material_b.plane_strain_modulus());
        Ok(Self { c_a, c_b, pair, geometry, options, fields: None, can_be_hinged: false })
    }

    /// The law of two shapes with these materials that press on each other in a patch. The coefficients of the geometry
    /// then describe a face on a face.
    #[must_use]
    pub fn with_faces(self, a: &ConvexShape, b: &ConvexShape) -> Self {
        let size =
            |own: &ConvexShape, other: &ConvexShape| own.half_thickness().or(other.half_thickness()).unwrap_or(1.0);
        let stiffness = a.face_area().min(b.face_area()) / (size(a, b) / self.c_a + size(b, a) / self.c_b);
        let geometry = PairGeometry { c_geo: stiffness / self.c_res(), n_geo: 1.0, ..self.geometry };
        Self { fields: Some(central_pressures([(a, self.c_a), (b, self.c_b)])), geometry, ..self }
    }

    /// Whether hinges hold the shapes when they touch.
    #[must_use]
    pub fn is_hinged(&self) -> bool {
        self.can_be_hinged && self.options.resting == Resting::Hinges && self.impact_speed().is_some()
    }

    /// Whether bristles hold the shapes where they rest on the elastic law: as declared, and where hinges would hold
    /// them without creep if they could.
    #[must_use]
    pub fn sticks(&self) -> bool {
        self.pair.stiction || (self.options.resting == Resting::Hinges && self.impact_speed().is_some())
    }

    /// Approach velocity \[m/s\] above which a contact is an impact of rigid bodies; none for elastic ones.
    #[must_use]
    pub fn impact_speed(&self) -> Option<f64> {
        let is_rigid = self.pair.law.unwrap_or(self.options.law) == ContactLaw::Rigid;
        is_rigid.then_some(self.pair.v_min)
    }

    /// Stiffness of both materials in series \[Pa\] (eq. 9).
    #[must_use]
    pub fn c_res(&self) -> f64 {
        1.0 / (1.0 / self.c_a + 1.0 / self.c_b)
    }

    /// Regularised coefficient of restitution (eq. 7) for the approach velocity \[m/s\] at the start of a contact.
    ///
    /// It falls to `cor_min` for slow contacts, so that bouncing ends. `cor_min` is also the lower limit for fast
    /// contacts, as in the text of the paper.
    #[must_use]
    pub fn regularized_cor(&self, delta_dot_minus: f64) -> f64 {
        let (cor, cor_min) = (self.pair.cor, self.options.cor_min);
        let decay = elementary::exp(elementary::ln(0.01f64) * delta_dot_minus.abs() / self.pair.v_min);
        (cor + (cor_min - cor) * decay).max(cor_min)
    }

    /// Damping coefficient \[s/m\] (eq. 7, 10, and eq. 6 or the exact relation that it stands for) for the approach
    /// velocity \[m/s\] at the start of a contact.
    #[must_use]
    pub fn damping(&self, delta_dot_minus: f64) -> f64 {
        if let Some(Damping::Coefficient(d)) = self.pair.damping {
            return d;
        }
        let cor = self.regularized_cor(delta_dot_minus);
        let speed = self.regularized_speed(delta_dot_minus);
        let d = match self.options.constants {
            ConstantsRule::Adaptive => restitution_damping(cor) / speed,
            ConstantsRule::Paper => 8.0 * (1.0 - cor) / (5.0 * cor * speed),
        };
        d.min(self.options.d_max.max(1.0 / self.pair.v_min))
    }

    /// Approach velocity \[m/s\] for which constants are frozen: that of the impact, but for very slow ones.
    #[must_use]
    pub fn regularized_speed(&self, delta_dot_minus: f64) -> f64 {
        regularized_magnitude(delta_dot_minus, self.pair.v_min)
    }

    /// Speed \[m/s\] below which friction is regularised in a contact that starts with the given approach velocity
    /// \[m/s\].
    fn friction_speed(&self, delta_dot_minus: f64) -> f64 {
        match self.options.constants {
            ConstantsRule::Adaptive => self.pair.v_min.max(REGULARIZED * delta_dot_minus.abs()),
            ConstantsRule::Paper => self.pair.v_min,
        }
    }

    /// The constants of a contact that starts with the approach velocity `delta_dot_minus` \[m/s\].
    #[must_use]
    pub fn freeze(&self, delta_dot_minus: f64) -> ContactConstants {
        let (c_res, PairGeometry { mu_geo, c_geo, n_geo }) = (self.c_res(), self.geometry);
        let v_min = self.friction_speed(delta_dot_minus);
        let relaxation = match self.pair.damping {
            Some(Damping::Relaxation(time)) => {
                Some(Relaxation { time, onset: n_geo * time * self.regularized_speed(delta_dot_minus) })
            }
            _ => None,
        };
        ContactConstants {
            stiffness: self.options.k_red * self.pair.k_red * c_res * c_geo,
            fields: self.fields.map(|fields| fields.map(|field| self.options.k_red * self.pair.k_red * field)),
            c_res,
            c_geo,
            n_geo,
            mu_geo,
            cor_reg: self.regularized_cor(delta_dot_minus),
            d: self.damping(delta_dot_minus),
            mu_k: self.pair.mu_k,
            mu_r: self.pair.mu_r,
            v_min,
            w_min: self.pair.w_min * (v_min / self.pair.v_min),
            mu_spin: self.pair.mu_spin.unwrap_or(self.pair.mu_r),
            stribeck: self.pair.stribeck,
            bound: None,
            relaxation,
            bristle: None,
            transition: None,
        }
    }
}
