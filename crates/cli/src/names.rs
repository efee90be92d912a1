//! Choosing variables by name, group or pattern.

use mbs::expr::{groups_of, is_pattern, selects};

use crate::error::{Error, Result};

/// Indices of the variables an argument means, in their own order: the variable of that name, else the members of the
/// group (`rod.r_abs` means `rod.r_abs[1]`…, `rod` means `rod.…`), else all that match a pattern with `*` and `?`, or
/// whose group does. Contacts may name their objects in either order.
///
/// # Errors
/// Nothing matches; the message has the nearest right names.
pub fn select(argument: &str, names: &[&str]) -> Result<Vec<usize>> {
    if argument.is_empty() {
        let wanted = "name a variable, a group such as `rod.r_abs` or a pattern such as `*.phi`".to_owned();
        return Err(Error::hinted("the name of a variable is empty", Some(wanted)));
    }
    if let Some(index) = names.iter().position(|name| *name == argument) {
        return Ok(vec![index]);
    }
    let found: Vec<usize> = (0..names.len()).filter(|index| selects(argument, names[*index])).collect();
    if found.is_empty() {
        let what = if is_pattern(argument) { "no variable matches" } else { "there is no variable" };
        return Err(Error::hinted(format!("{what} `{argument}`"), suggestion(argument, names)));
    }
    Ok(found)
}

/// As [`select`] for several arguments; every variable once, in the order of the arguments.
///
/// # Errors
/// As [`select`].
pub fn select_all(arguments: &[String], names: &[&str]) -> Result<Vec<usize>> {
    let mut all = Vec::new();
    for argument in arguments {
        let fresh: Vec<usize> =
            select(argument.trim(), names)?.into_iter().filter(|index| !all.contains(index)).collect();
        all.extend(fresh);
    }
    Ok(all)
}

/// As [`select_all`], where patterns and groups mean members of a choice only if there are any.
///
/// # Errors
/// As [`select`].
pub fn select_among(arguments: &[String], names: &[&str], choice: &[usize]) -> Result<Vec<usize>> {
    let mut all = Vec::new();
    for argument in arguments {
        let mut found = select(argument.trim(), names)?;
        if found.iter().any(|index| choice.contains(index)) {
            found.retain(|index| choice.contains(index));
        }
        all.extend(found.into_iter().filter(|index| !all.contains(index)).collect::<Vec<_>>());
    }
    Ok(all)
}

/// The one variable that an argument means.
///
/// # Errors
/// As [`select`], and arguments that mean several.
pub fn select_one(argument: &str, names: &[&str]) -> Result<usize> {
    match select(argument, names)?[..] {
        [index] => Ok(index),
        ref several => {
            let some: Vec<&str> = several.iter().take(3).map(|index| names[*index]).collect();
            let hint = format!("name one of them, for example `{}`", some[0]);
            Err(Error::hinted(format!("`{argument}` means several variables ({}, …)", some.join(", ")), Some(hint)))
        }
    }
}

/// Names that the user may have meant: the nearest one, else those that contain the argument, else the groups.
pub fn suggestion(argument: &str, names: &[&str]) -> Option<String> {
    let mut groups: Vec<&str> = Vec::new();
    for name in names {
        for group in groups_of(name) {
            if !groups.contains(&group) && groups.len() < 500 {
                groups.push(group);
            }
        }
    }
    if let Some(hint) = copies_that_exist(argument, names) {
        return Some(hint);
    }
    let of_contact = |name: &str| name.split('.').any(|part| part == "contact");
    if of_contact(argument) && !names.iter().any(|name| of_contact(name)) {
        return Some(
            "contacts are variables where `outputs` of the model names them, as `outputs = [\"contact.a_b\"]`; \
             `mbfmu check MODEL --contacts` lists the pairs"
                .to_owned(),
        );
    }
    if let Some(hint) = opposite(argument, names) {
        return Some(hint);
    }
    if let Some(nearest) = mbs::expr::nearest(argument, names.iter().copied().chain(groups.iter().copied())) {
        return Some(format!("did you mean `{nearest}`?"));
    }
    let core = argument.trim_matches('*').to_lowercase();
    let similar: Vec<&str> =
        names.iter().copied().filter(|name| !core.is_empty() && name.to_lowercase().contains(&core)).collect();
    let (what, list) = match (similar.is_empty(), groups.is_empty()) {
        (false, _) => ("similar names", similar),
        (true, false) => ("groups", groups.into_iter().filter(|group| !group.contains('.')).collect()),
        (true, true) => ("variables", names.to_vec()),
    };
    (!list.is_empty()).then(|| format!("{what}: {}", shortened(&list)))
}

/// Which copies have variables, for a name that would be right for another copy: `p[1]` and `p[2]` for `p[5].w`.
fn copies_that_exist(argument: &str, names: &[&str]) -> Option<String> {
    let (array, rest) = argument.split_once('[')?;
    let (index, member) = rest.split_once("].")?;
    index.parse::<usize>().ok()?;
    let index_in = |name: &str| {
        let (index, of) = name.strip_prefix(array)?.strip_prefix('[')?.split_once("].")?;
        (of == member).then_some(())?;
        index.parse::<usize>().ok()
    };
    let most = names.iter().filter_map(|name| index_in(name)).max()?;
    let copies = if most == 1 { format!("`{array}[1]`") } else { format!("`{array}[1]` to `{array}[{most}]`") };
    Some(format!(
        "there are variables of {copies}, the copies that the defaults of the parameters give; a larger default gives more"
    ))
}

/// The vector of a contact that is meant by its name with the objects in the other order, which has the other sign.
fn opposite(argument: &str, names: &[&str]) -> Option<String> {
    let (pair, part) = argument.strip_prefix("contact.").and(argument.rsplit_once('.'))?;
    let whole = |part: &'_ str| part.split_once('[').map_or(part, |(whole, _)| whole).to_owned();
    let is_meant =
        |name: &&&str| name.rsplit_once('.').is_some_and(|(_, own)| whole(own) == whole(part)) && selects(pair, name);
    let (own, _) = names.iter().find(is_meant)?.rsplit_once('.')?;
    Some(format!(
        "the model has `{own}.{}`, which acts on the other object, with the other sign; its `outputs` may name both",
        whole(part)
    ))
}

fn shortened(names: &[&str]) -> String {
    const SHOWN: usize = 8;
    let listed: Vec<String> = names.iter().take(SHOWN).map(|name| format!("`{name}`")).collect();
    let rest = names.len().saturating_sub(SHOWN);
    let more = if rest > 0 { format!(" and {rest} more") } else { String::new() };
    format!("{}{more}", listed.join(", "))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const NAMES: [&str; 6] = ["hinge.phi", "hinge.w", "der(hinge.w)", "rod.r_abs[1]", "rod.r_abs[2]", "rodent.x"];

    fn chosen(argument: &str) -> Vec<&'static str> {
        select(argument, &NAMES).unwrap().into_iter().map(|index| NAMES[index]).collect()
    }

    #[test]
    fn a_name_a_group_and_a_pattern_choose_variables() {
        assert_eq!(chosen("hinge.w"), ["hinge.w"]);
        assert_eq!(chosen("rod"), ["rod.r_abs[1]", "rod.r_abs[2]"]);
        assert_eq!(chosen("rod.r_abs"), ["rod.r_abs[1]", "rod.r_abs[2]"]);
        assert_eq!(chosen("*.w"), ["hinge.w"]);
        assert_eq!(chosen("*hinge.w*"), ["hinge.w", "der(hinge.w)"]);
        assert_eq!(chosen("rod.r_abs[?]"), ["rod.r_abs[1]", "rod.r_abs[2]"]);
    }

    #[test]
    fn a_pattern_chooses_groups_too() {
        assert_eq!(chosen("r*d.r_abs"), ["rod.r_abs[1]", "rod.r_abs[2]"]);
        assert_eq!(chosen("ro?"), ["rod.r_abs[1]", "rod.r_abs[2]"]);
        assert_eq!(chosen("h*"), ["hinge.phi", "hinge.w"], "no group is within der(…)");
    }

    #[test]
    fn a_contact_is_found_with_its_objects_in_either_order() {
        let names = ["contact.ball_left_arm.tip.f_n", "contact.ball_left_arm.tip.f_t[1]", "contact.table_ball.f_n"];
        let chosen = |argument: &str| select(argument, &names).unwrap();
        assert_eq!(chosen("contact.left_arm.tip_ball.f_n"), [0]);
        let message = select("contact.left_arm.tip_ball.f_t[1]", &names).unwrap_err().to_string();
        assert!(message.contains("`contact.ball_left_arm.tip.f_t`, which acts on the other object"), "{message}");
        assert_eq!(chosen("contact.left_arm.tip_ball"), [0, 1]);
        assert_eq!(chosen("contact.ball_table.f_n"), [2]);
        assert_eq!(chosen("contact.ball_*.f_n"), [0, 2]);
        assert!(select("contact.ball_chair.f_n", &names).is_err());
    }

    #[test]
    fn a_misspelt_name_is_answered_with_the_nearest_name_or_group() {
        let message = |argument: &str| select(argument, &NAMES).unwrap_err().to_string();
        assert!(message("hinge.phii").contains("did you mean `hinge.phi`?"));
        assert!(message("rod.r_asb").contains("did you mean `rod.r_abs`?"));
        assert!(message("*.phy").contains("no variable matches"));
        assert!(message("zebra").contains("groups: `hinge`"), "{}", message("zebra"));
    }

    #[test]
    fn a_copy_beyond_the_default_number_is_answered_with_those_that_have_variables() {
        let names = ["p[1].rev.phi", "p[2].rev.phi", "p[3].rev.phi", "rod.r_abs[1]"];
        let message = |argument: &str| select(argument, &names).unwrap_err().to_string();
        assert!(message("p[5].rev.phi").contains("variables of `p[1]` to `p[3]`"), "{}", message("p[5].rev.phi"));
        assert!(message("p[5].rev.psi").contains("did you mean"), "{}", message("p[5].rev.psi"));
        assert!(message("rod.r_abs[4]").contains("did you mean `rod.r_abs[1]`?"));
    }

    #[test]
    fn a_variable_is_chosen_once() {
        let arguments = ["hinge.w", "hinge", "*"].map(str::to_owned);
        assert_eq!(select_all(&arguments, &NAMES).unwrap(), [1, 0, 2, 3, 4, 5]);
    }
}
