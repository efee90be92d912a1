//! Names of a file, and what they are called in the model.

use std::collections::HashMap;

use super::body::Body;
use crate::names::Names;
use crate::xml::{Element, Report};

/// Names of the file, and what they are called in the model.
pub(super) struct Lookup<'a> {
    /// Name of the object of every body; of the world, `world`.
    pub objects: Vec<String>,
    /// Names of the joints of every body.
    pub joints: Vec<Vec<String>>,
    /// Names of the objects of the sites of every body.
    pub sites: Vec<Vec<String>>,
    /// Names of the objects of the geoms of every body, should they have one.
    pub geoms: Vec<Vec<String>>,
    pub body_by_name: HashMap<&'a str, usize>,
    pub joint_by_name: HashMap<&'a str, (usize, usize)>,
    pub site_by_name: HashMap<&'a str, (usize, usize)>,
    pub geom_by_name: HashMap<&'a str, (usize, usize)>,
}

impl<'a> Lookup<'a> {
    /// Claims a name for everything in the bodies.
    pub fn new(bodies: &[Body<'a>], names: &mut Names, report: &mut Report) -> Self {
        let mut lookup = Self {
            objects: Vec::new(),
            joints: Vec::new(),
            sites: Vec::new(),
            geoms: Vec::new(),
            body_by_name: HashMap::from([("world", 0)]),
            joint_by_name: HashMap::new(),
            site_by_name: HashMap::new(),
            geom_by_name: HashMap::new(),
        };
        for (index, body) in bodies.iter().enumerate() {
            let name = if index == 0 { "world".to_owned() } else { named(body.element, "body", "_body", names) };
            lookup.objects.push(name);
            if let Some(name) = body.element.text("name").filter(|_| index > 0)
                && lookup.body_by_name.insert(name, index).is_some()
            {
                report.attribute_error(body.element, "name", format!("there are two bodies `{name}`"), None);
            }
        }
        for (index, body) in bodies.iter().enumerate() {
            let around = lookup.objects[index].clone();
            let joints = body.joints.iter().enumerate().map(|(number, joint)| {
                if let Some(name) = joint.element.text("name")
                    && lookup.joint_by_name.insert(name, (index, number)).is_some()
                {
                    report.attribute_error(joint.element, "name", format!("there are two joints `{name}`"), None);
                }
                named(joint.element, &format!("{around}_joint"), "_joint", names)
            });
            let joints = joints.collect();
            lookup.joints.push(joints);
        }
        for (index, body) in bodies.iter().enumerate() {
            let around = lookup.objects[index].clone();
            let sites = body.sites.iter().enumerate().map(|(number, site)| {
                site.element.text("name").map(|name| lookup.site_by_name.insert(name, (index, number)));
                named(site.element, &format!("{around}_site"), "_site", names)
            });
            let sites = sites.collect();
            lookup.sites.push(sites);
            let geoms = body.geoms.iter().enumerate().map(|(number, geom)| {
                geom.element.text("name").map(|name| lookup.geom_by_name.insert(name, (index, number)));
                named(geom.element, &format!("{around}_geom"), "_geom", names)
            });
            let geoms = geoms.collect();
            lookup.geoms.push(geoms);
        }
        lookup
    }

    /// A body, joint or other item by the name in an attribute; an error if there is none.
    pub fn find<T: Copy>(
        at: Element<'a>,
        attribute: &str,
        known: &HashMap<&'a str, T>,
        report: &mut Report,
    ) -> Option<T> {
        let name = at.text(attribute)?;
        let found = known.get(name).copied();
        if found.is_none() {
            let mut names: Vec<&str> = known.keys().copied().collect();
            names.sort_unstable();
            let hint = mbs::expr::nearest(name, names).map(|near| format!("did you mean `{near}`?"));
            let message = format!("`{attribute}` of {} names `{name}`, which does not exist", at.described());
            report.attribute_error(at, attribute, message, hint.as_deref());
        }
        found
    }
}

fn named(element: Element, without: &str, suffix: &str, names: &mut Names) -> String {
    match element.text("name").filter(|name| !name.is_empty()) {
        Some(name) => names.claim(name, suffix),
        None => names.invent(without),
    }
}
