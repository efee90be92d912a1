//! What built-in types take where a model leaves a value out. The documentation shows it from here.

/// The default of a value of a built-in type; none where it is required, or follows from others.
#[must_use]
pub fn default_of(kind: &str, key: &str) -> Option<f64> {
    let of_kind = DEFAULTS.iter().filter(|(kinds, _)| kinds.contains(&kind)).flat_map(|(_, values)| *values);
    of_kind.into_iter().find(|(known, _)| *known == key).map(|(_, value)| *value)
}

/// The default of an input of a built-in type.
pub(crate) fn default_input(kind: &str, key: &str) -> f64 {
    default_of(kind, key).unwrap_or_default()
}

/// Types with the key `motion`, which makes their flanges rotate or translate.
pub const TYPES_WITH_MOTION: [&str; 9] =
    ["spring", "damper", "spring-damper", "friction", "brake", "clutch", "end-stop", "elastic-gear", "speed"];

/// Default motion of flanges: rotation.
pub const DEFAULT_MOTION: &str = "rotation";

/// Default interpolation of tables: straight lines.
pub const DEFAULT_INTERPOLATION: &str = "linear";

/// Volumes of a rod before the first event when their number is a signal, and when it is not given.
pub(crate) const START_VOLUMES: usize = 10;

/// Room temperature \[K\]: 20 °C.
const ROOM: f64 = 293.15;

/// Keys with their defaults.
type Defaults = &'static [(&'static str, f64)];

/// Types, and the defaults of what they take.
const DEFAULTS: &[(&[&str], Defaults)] = &[
    (&["dc-motor"], &[("L", 0.0), ("J", 0.0)]),
    (&["elastic-gear"], &[("ratio", 1.0), ("damping", 0.0), ("backlash", 0.0)]),
    (&["end-stop"], &[("damping", 0.0)]),
    (&["brake", "clutch", "friction"], &[("stribeck", 0.0), ("viscous", 0.0)]),
    (&["gear"], &[("efficiency", 1.0), ("w_reg", 1.0)]),
    (&["heat-capacity"], &[("Q", 0.0), ("G", 0.0), ("T_ambient", ROOM)]),
    (&["heat-rod"], &[("T", ROOM), ("Q_a", 0.0), ("Q_b", 0.0), ("volumes", START_VOLUMES as f64)]),
    (&["hysteresis"], &[("y", 0.0)]),
    (&["first-order", "integrator"], &[("k", 1.0), ("y", 0.0)]),
    (&["latch"], &[("reset", 0.0), ("y", 0.0)]),
    (&["p-pi"], &[("w_reference", 0.0)]),
    (&["pi"], &[("x", 0.0)]),
    (&["pid"], &[("T_d", 0.0), ("N", 10.0), ("x", 0.0)]),
    (&["point-mass-rocket"], &[("gravity", 9.81), ("separation", 5.0), ("drop", 10.0), ("h1", 0.0), ("h2", 0.0)]),
    (&["pulse"], &[("width", 0.5)]),
    (&["sample-hold"], &[("offset", 0.0), ("y", 0.0)]),
    (&["sampled-pid"], &[("offset", 0.0), ("T_d", 0.0)]),
    (&["pulse", "ramp", "step", "trapezoid"], &[("height", 1.0), ("offset", 0.0), ("start", 0.0)]),
    (&["sine"], &[("amplitude", 1.0), ("phase", 0.0), ("offset", 0.0), ("start", 0.0)]),
    (&["spring", "spring-damper"], &[("rest", 0.0)]),
    (&["trapezoid"], &[("width", 0.0)]),
];
