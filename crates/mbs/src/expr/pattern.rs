//! Arguments that mean several variables: groups and patterns.

/// What the names of contact results begin with; `A_B` and a part follow.
const CONTACT: &str = "contact.";

/// Whether an argument is a pattern: `*` stands for any text, `?` for one character.
#[must_use]
pub fn is_pattern(argument: &str) -> bool {
    argument.contains(['*', '?'])
}

/// Whether an argument means a variable: by its name, by a group of it (`rod.r_abs` means `rod.r_abs[1]`…, `rod` means
/// `rod.…`), or by a pattern that the name or one of its groups matches. Contacts may name their objects in either
/// order; but a vector that acts on one of them is another one then, so that its own name does not mean it.
#[must_use]
pub fn selects(argument: &str, name: &str) -> bool {
    let means = |name: &str| match is_pattern(argument) {
        true => matches(argument, name) || groups_of(name).any(|group| matches(argument, group)),
        false => argument == name || is_member(argument, name),
    };
    means(name) || argument.starts_with(CONTACT) && swapped(argument, name).any(|name| means(&name))
}

/// Groups that a variable belongs to.
pub fn groups_of(name: &str) -> impl Iterator<Item = &str> {
    name.match_indices(['.', '[']).filter(|_| !name.starts_with("der(")).map(|(end, _)| &name[..end])
}

/// Names of the result of a contact with its objects in the other order, as far as an argument may mean it; an
/// underscore may be part of a name.
fn swapped<'n>(argument: &str, name: &'n str) -> impl Iterator<Item = String> + use<'n> {
    let pair = name.strip_prefix(CONTACT).and_then(|rest| rest.rsplit_once('.'));
    let names_part = |pair: &str| !is_pattern(argument) && argument.len() > CONTACT.len() + pair.len();
    let pair = pair.filter(|(pair, part)| !(is_directed(part) && names_part(pair)));
    pair.into_iter().flat_map(|(pair, part)| {
        pair.match_indices('_').map(move |(at, _)| format!("{CONTACT}{}_{}.{part}", &pair[at + 1..], &pair[..at]))
    })
}

/// Whether a part of a contact's results has the other sign for objects in the other order.
fn is_directed(part: &str) -> bool {
    let whole = part.split_once('[').map_or(part, |(whole, _)| whole);
    ["f", "f_t", "t", "n", "v_t"].contains(&whole)
}

fn is_member(group: &str, name: &str) -> bool {
    name.strip_prefix(group).is_some_and(|rest| rest.starts_with(['.', '[']))
}

/// Whether the whole name matches a pattern; `*` stands for any text, `?` for one character.
fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    let (mut p, mut n) = (0, 0);
    // Where the match continues when the last star takes one more character.
    let mut star: Option<(usize, usize)> = None;
    while n < name.len() {
        if pattern.get(p) == Some(&'*') {
            star = Some((p, n));
            p += 1;
        } else if pattern.get(p).is_some_and(|c| *c == '?' || *c == name[n]) {
            (p, n) = (p + 1, n + 1);
        } else if let Some((at, taken)) = star {
            star = Some((at, taken + 1));
            (p, n) = (at + 1, taken + 1);
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|c| *c == '*')
}

#[cfg(test)]
mod tests {
    use super::selects;

    #[test]
    fn copies_of_an_instance_are_meant_by_a_star_between_brackets() {
        assert!(selects("m[*].b.r_abs", "m[12].b.r_abs[3]"));
        assert!(!selects("m[*].b.r_abs", "m[12].c.r_abs[3]"));
        assert!(selects("m[?].b", "m[2].b.v_abs[1]") && !selects("m[?].b", "m[12].b.v_abs[1]"));
        assert!(selects("contact.floor_*.f_n", "contact.ball_floor.f_n"));
    }

    #[test]
    fn the_other_order_of_a_contact_means_the_same_scalars_but_not_the_same_vectors() {
        for same in ["contact.floor_ball.f_n", "contact.floor_ball"] {
            assert!(selects(same, "contact.ball_floor.f_n"), "{same}");
        }
        for other in ["contact.floor_ball.f", "contact.floor_ball.f[3]"] {
            assert!(!selects(other, "contact.ball_floor.f[3]"), "{other}");
        }
        assert!(selects("contact.floor_ball", "contact.ball_floor.f[3]"));
        assert!(selects("contact.ball_floor.f", "contact.ball_floor.f[3]"));
        assert!(selects("contact.floor_ball.r[1]", "contact.ball_floor.r[1]"));
    }
}
