//! Keys under the names that other formats and textbooks give them.

/// What is written elsewhere, and the keys that say it here, the likeliest first.
const SYNONYMS: &[(&[&str], &[&str])] = &[
    (&["mass", "weight"], &["m", "mass"]),
    (&["parent", "frame_a", "body_a", "body1", "base", "predecessor"], &["from", "parent"]),
    (&["child", "frame_b", "body_b", "body2", "follower", "successor"], &["to"]),
    (&["position", "pos", "origin", "location", "translation", "offset", "xyz"], &["r"]),
    (&["orientation", "rot", "rpy", "euler", "angles", "cardan"], &["rotation"]),
    (&["size", "dimensions", "extents", "dims"], &["lengths", "length", "diameter"]),
    (&["height", "depth"], &["length"]),
    (&["angle", "phi_start", "phi0"], &["phi"]),
    (&["displacement", "s_start", "s0"], &["s"]),
    (&["c", "k", "spring_constant", "rate"], &["stiffness"]),
    (&["d", "damper", "damping_constant", "viscous_damping"], &["damping"]),
    (&["s_rel0", "free_length", "natural_length", "unstretched_length"], &["rest_length"]),
    (&["phi_rel0", "neutral", "equilibrium"], &["rest"]),
    (&["E", "youngs", "young", "elastic_modulus"], &["youngs_modulus"]),
    (&["nu", "poisson", "poisson_ratio"], &["poissons_ratio"]),
    (&["rho"], &["density"]),
    (&["e", "coefficient_of_restitution", "restitution_coefficient"], &["cor"]),
    (&["friction_coefficient", "mu_s", "mu_d"], &["mu_k"]),
    (&["fixed_to", "attached_to", "link"], &["parent"]),
    (&["grounded", "anchored", "is_fixed", "static"], &["fixed"]),
    (&["floating", "is_free"], &["free"]),
    (&["collide", "collision", "contact"], &["collides"]),
    (&["com", "center_of_mass", "cog", "r_cm"], &["center"]),
    (&["I", "inertia_tensor", "moments", "J"], &["inertia"]),
    (&["end", "end_time", "stop_time", "t_end", "tend", "duration"], &["stop"]),
    (&["begin", "start_time", "t_start", "t0"], &["start"]),
    (&["dt", "h", "step_size", "interval", "output_step", "communication_step"], &["step"]),
    (&["tol", "rtol", "relative_tolerance"], &["tolerance"]),
    (&["initial", "init", "initial_value", "default"], &["value", "start"]),
];

/// The radius of what is described by its diameter.
const RADII: &[(&str, &str)] =
    &[("radius", "diameter"), ("inner_radius", "inner_diameter"), ("top_radius", "top_diameter")];

/// The hint for an unknown key that has another name here: the key meant, and what else to know.
pub(crate) fn hint(wrong: &str, known: &[&str]) -> Option<(&'static str, &'static str)> {
    if let Some((_, key)) = RADII.iter().find(|(radius, key)| *radius == wrong && known.contains(key)) {
        return Some((key, " It is twice the radius."));
    }
    let keys = SYNONYMS.iter().filter(|(words, _)| words.contains(&wrong)).flat_map(|(_, keys)| keys.iter());
    keys.copied().find(|key| *key != wrong && known.contains(key)).map(|key| (key, ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_that_is_meant_exists() {
        let schema = crate::schema::json_schema();
        let keys = SYNONYMS.iter().flat_map(|(_, keys)| keys.iter()).chain(RADII.iter().map(|(_, key)| key));
        for key in keys {
            assert!(schema.contains(&format!("\"{key}\"")), "`{key}`");
        }
    }

    #[test]
    fn the_likeliest_key_that_the_table_has_is_meant() {
        assert_eq!(hint("mass", &["m", "center", "inertia"]), Some(("m", "")));
        assert_eq!(hint("radius", &["lengths"]), None);
        assert_eq!(hint("radius", &["diameter", "r"]), Some(("diameter", " It is twice the radius.")));
        assert_eq!(hint("size", &["length", "diameter"]), Some(("length", "")));
    }
}
