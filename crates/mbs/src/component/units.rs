//! Units of the values that the built-in types take.

/// The unit of a value of a built-in type; none without dimension. Where it depends on whether flanges turn or slide,
/// both, as `rad or m`.
#[must_use]
pub fn unit_of(kind: &str, key: &str) -> Option<&'static str> {
    let units = UNITS.iter().find(|(kinds, _)| kinds.contains(&kind)).map(|(_, units)| units)?;
    units.iter().find(|(known, _)| *known == key).map(|(_, unit)| *unit)
}

/// Keys with their units.
type Units = &'static [(&'static str, &'static str)];

/// Types, and the units of what they take.
const UNITS: &[(&[&str], Units)] = &[
    (
        &["brake", "clutch", "friction"],
        &[("sliding", "N·m or N"), ("static", "N·m or N"), ("viscous", "N·m·s/rad or N·s/m")],
    ),
    (&["damper"], &[("damping", "N·m·s/rad or N·s/m")]),
    (
        &["dc-motor"],
        &[("v", "V"), ("R", "Ω"), ("L", "H"), ("k", "N·m/A"), ("J", "kg·m²"), ("phi", "rad"), ("w", "rad/s")],
    ),
    (
        &["elastic-gear"],
        &[("stiffness", "N·m/rad or N/m"), ("damping", "N·m·s/rad or N·s/m"), ("backlash", "rad or m")],
    ),
    (
        &["end-stop"],
        &[
            ("lower", "rad or m"),
            ("upper", "rad or m"),
            ("stiffness", "N·m/rad or N/m"),
            ("damping", "N·m·s/rad or N·s/m"),
        ],
    ),
    (&["first-order"], &[("T", "s")]),
    (&["force"], &[("f", "N")]),
    (&["gear"], &[("w_reg", "rad/s")]),
    (&["heat-capacity"], &[("C", "J/K"), ("Q", "W"), ("G", "W/K"), ("T_ambient", "K"), ("T", "K")]),
    (
        &["heat-rod"],
        &[
            ("length", "m"),
            ("area", "m²"),
            ("conductivity", "W/(m·K)"),
            ("density", "kg/m³"),
            ("specific_heat", "J/(kg·K)"),
            ("T", "K"),
            ("T_a", "K"),
            ("T_b", "K"),
            ("Q_a", "W"),
            ("Q_b", "W"),
            ("places", "m"),
        ],
    ),
    (&["inertia"], &[("J", "kg·m²"), ("phi", "rad"), ("w", "rad/s")]),
    (&["mass"], &[("m", "kg"), ("s", "m"), ("v", "m/s")]),
    (&["p-pi"], &[("k1", "1/s"), ("T2", "s"), ("T_t", "s")]),
    (&["pi"], &[("T", "s"), ("T_t", "s")]),
    (&["pid"], &[("T_i", "s"), ("T_d", "s"), ("T_t", "s")]),
    (&["pulse"], &[("start", "s"), ("period", "s")]),
    (&["ramp"], &[("start", "s"), ("duration", "s")]),
    (&["sample-hold"], &[("period", "s"), ("offset", "s")]),
    (&["sampled-pid"], &[("period", "s"), ("offset", "s"), ("T_i", "s"), ("T_d", "s")]),
    (&["sine"], &[("frequency", "Hz"), ("phase", "rad"), ("start", "s")]),
    (&["speed"], &[("velocity", "rad/s or m/s"), ("position", "rad or m")]),
    (&["spring-damper"], &[("stiffness", "N·m/rad or N/m"), ("damping", "N·m·s/rad or N·s/m"), ("rest", "rad or m")]),
    (&["spring"], &[("stiffness", "N·m/rad or N/m"), ("rest", "rad or m")]),
    (&["step"], &[("start", "s")]),
    (&["torque"], &[("tau", "N·m")]),
    (&["trapezoid"], &[("start", "s"), ("rising", "s"), ("width", "s"), ("falling", "s"), ("period", "s")]),
    (
        &["point-mass-rocket"],
        &[
            ("m1", "kg"),
            ("m2", "kg"),
            ("thrust1", "N"),
            ("thrust2", "N"),
            ("burn1", "s"),
            ("burn2", "s"),
            ("gravity", "m/s²"),
            ("separation", "s"),
            ("drop", "s"),
            ("h1", "m"),
            ("h2", "m"),
        ],
    ),
];
