//! Attributes of the elements of MJCF; any other attribute is an error. Those with `-` before them change the motion or
//! what is measured, and are ignored; all others are read, noted where that depends on more, or without effect on the
//! motion.

use super::include::Tree;
use crate::xml::{Element, Report};

/// What gives an orientation.
const ORIENTED: &str = "quat axisangle euler xyaxes zaxis";
/// What limits and rubs.
const LIMITED: &str = "limited margin range solimplimit solreflimit frictionloss solimpfriction solreffriction \
                       actuatorfrclimited";
/// What all actuators have.
const ACTUATOR: &str = "name class group user joint jointinparent tendon site refsite body cranksite slidersite \
                        cranklength gear ctrllimited ctrlrange forcelimited forcerange lengthrange delay interp \
                        nsample damping armature";
/// What all sensors have.
const SENSOR: &str = "name -cutoff noise user -delay interp -interval nsample site joint tendon actuator body geom \
                      camera objtype objname reftype refname";

/// Notes on unknown and on ignored attributes, in everything that is read.
pub(super) fn check<'a>(root: Element<'a>, tree: &Tree<'a>, report: &mut Report) {
    for section in tree.children(root) {
        match section.tag() {
            "compiler" | "option" | "default" | "worldbody" | "equality" | "actuator" | "contact" | "asset"
            | "tendon" | "sensor" => inside(section, section.tag(), tree, report),
            _ => {}
        }
    }
}

fn inside<'a>(top: Element<'a>, section: &str, tree: &Tree<'a>, report: &mut Report) {
    let mut open = vec![top];
    while let Some(element) = open.pop() {
        let Some(lists) = lists(section, element.tag()) else { continue };
        let words = || lists.iter().flat_map(|list| list.split_whitespace());
        let known: Vec<&str> = words().map(|word| word.trim_start_matches('-')).collect();
        for name in element.attributes().filter(|name| !known.contains(name)) {
            report.unknown_attribute(element, name, &known);
        }
        let unread = words().filter_map(|word| word.strip_prefix('-'));
        let given: Vec<&str> = unread.filter(|name| element.text(name).is_some_and(is_not_default)).collect();
        if !given.is_empty() {
            report.note(element, format!("`{}` is left out", given.join("`, `")));
        }
        let children: Vec<Element> = tree.children(element).collect();
        open.extend(children.into_iter().rev());
    }
}

/// Whether a value differs from that of nothing.
fn is_not_default(value: &str) -> bool {
    let is_nothing = |word: &str| word.parse() == Ok(0.0) || matches!(word, "false" | "none" | "all");
    !value.split_whitespace().all(is_nothing)
}

/// Attributes of an element in a section; none where nothing of it is read.
fn lists(section: &str, tag: &str) -> Option<Vec<&'static str>> {
    Some(match (section, tag) {
        ("compiler", "compiler") => vec![
            "angle coordinate eulerseq autolimits balanceinertia boundinertia boundmass inertiafromgeom",
            "inertiagrouprange settotalmass strippath meshdir assetdir texturedir discardvisual fusestatic",
            "usethread alignfree conflict fitaabb saveinertial savecanonical savecompiled passthrough convexhull",
            "exactmeshinertia",
        ],
        ("option", "option") => vec![
            "timestep apirate impratio tolerance iterations ls_tolerance ls_iterations noslip_tolerance",
            "noslip_iterations ccd_tolerance ccd_iterations mpr_tolerance mpr_iterations sdf_iterations",
            "sdf_initpoints sleep_tolerance gravity wind magnetic density viscosity o_margin o_solref o_solimp",
            "o_friction integrator cone jacobian solver -collision actuatorgroupdisable",
        ],
        ("option", "flag") => vec![
            "constraint equality frictionloss limit contact passive gravity clampctrl warmstart filterparent",
            "actuation refsafe sensor midphase nativeccd eulerdamp autoreset island spring damper override energy",
            "fwdinv invdiscrete multiccd sleep diagexact ipc speculative",
        ],
        ("default", "default") => vec!["class"],
        ("equality" | "contact" | "actuator" | "asset" | "tendon" | "sensor", tag) if tag == section => vec![],
        ("worldbody", "worldbody" | "body") => {
            vec!["name childclass pos gravcomp mocap fuse simple sleep user", ORIENTED]
        }
        ("worldbody", "frame") => vec!["name childclass pos", ORIENTED],
        ("worldbody", "inertial") => vec!["pos mass diaginertia fullinertia", ORIENTED],
        ("worldbody", "freejoint") => vec!["name group align"],
        ("worldbody" | "default", "joint") => vec![
            "name class type group pos axis springdamper stiffness springref -springyield ref armature damping user",
            "actuatorgravcomp actuatorfrcrange",
            LIMITED,
        ],
        ("worldbody" | "default", "geom") => vec![
            "name class type contype conaffinity condim group priority size material friction mass density",
            "shellinertia -solmix solref solimp margin gap fromto pos hfield mesh fitscale rgba fluidshape",
            "fluidcoef castshadow adhesion surfacevel user",
            ORIENTED,
        ],
        ("worldbody" | "default", "site") => {
            vec!["name class type group pos material mesh size fromto rgba user", ORIENTED]
        }
        ("asset" | "default", "mesh") => vec![
            "name class file content_type vertex normal texcoord face scale refpos refquat smoothnormal",
            "maxhullvert inertia material builtin params",
        ],
        ("asset" | "default", "material") => vec![
            "name class texture texrepeat texuniform emission specular shininess reflectance metallic roughness",
            "rgba",
        ],
        ("equality", "connect") => vec!["name class active body1 body2 anchor site1 site2 solref solimp"],
        ("equality", "weld") => {
            vec!["name class active body1 body2 relpose anchor site1 site2 torquescale solref solimp"]
        }
        ("equality", "joint") => vec!["name class active joint1 joint2 polycoef solref solimp"],
        ("default", "equality") => vec!["active solref solimp"],
        ("contact", "exclude") => vec!["name body1 body2"],
        ("tendon", "fixed") => {
            vec!["name class group stiffness damping armature springlength springyield -actuatorfrcrange user", LIMITED]
        }
        ("tendon", "joint") => vec!["joint coef"],
        ("default", "tendon") => {
            vec![
                "group material width rgba stiffness damping armature springlength springyield -actuatorfrcrange user",
                LIMITED,
            ]
        }
        ("actuator" | "default", "general") => vec![
            "actlimited actrange actdim actearly dyntype dynprm gaintype gainprm biastype biasprm inheritrange",
            "input ffrange velrange",
            ACTUATOR,
        ],
        ("actuator" | "default", "motor") => vec![ACTUATOR],
        ("actuator" | "default", "position") => vec!["kp kv dampratio timeconst inheritrange", ACTUATOR],
        ("actuator" | "default", "velocity" | "damper") => vec!["kv", ACTUATOR],
        ("actuator" | "default", "cylinder") => vec!["timeconst area diameter bias", ACTUATOR],
        (
            "sensor",
            "framepos" | "framequat" | "framelinvel" | "frameangvel" | "framelinacc" | "frameangacc" | "velocimeter"
            | "gyro" | "accelerometer" | "force" | "torque" | "jointpos" | "jointvel",
        ) => vec![SENSOR],
        _ => return None,
    })
}
