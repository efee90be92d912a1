//! "Did you mean": the known name nearest to a misspelt one.

/// The candidate with the smallest edit distance (insertions, deletions, replacements and swaps of neighbours), if it
/// is near enough to be a slip of the pen: at most one edit per three characters, and at least one. Letter case and
/// `_` against `-` cost nothing beyond the first tie. Among equals the first wins.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = normalised(name);
    let limit = (wanted.len() / 3).max(1);
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let candidate_letters = normalised(candidate);
        // Any letter is one replacement from any other.
        if matches!(&wanted[..], [only] if !candidate_letters.contains(only)) {
            continue;
        }
        let distance = edit_distance(&wanted, &candidate_letters);
        if distance <= limit && best.is_none_or(|(smallest, _)| distance < smallest) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// ``did you mean `x`?`` for the nearest candidate.
pub(super) fn hint<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    nearest(name, candidates).map(|candidate| format!("did you mean `{candidate}`?"))
}

fn normalised(name: &str) -> Vec<char> {
    name.chars().map(|c| if c == '-' { '_' } else { c.to_ascii_lowercase() }).collect()
}

/// Optimal string alignment distance.
fn edit_distance(a: &[char], b: &[char]) -> usize {
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 0..a.len() {
        let mut row = vec![i + 1];
        for j in 0..b.len() {
            let replaced = last[j] + usize::from(a[i] != b[j]);
            let mut cost = replaced.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                cost = cost.min(before_last[j - 1] + 1);
            }
            row.push(cost);
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_swap_or_a_missing_letter_finds_the_name() {
        let known = ["lenght_of_arm", "radius", "mass", "Steel"];
        assert_eq!(nearest("raduis", known), Some("radius"));
        assert_eq!(nearest("mas", known), Some("mass"));
        assert_eq!(nearest("steel", known), Some("Steel"));
        assert_eq!(nearest("length-of-arm", known), Some("lenght_of_arm"));
    }

    #[test]
    fn a_different_word_gives_no_suggestion() {
        assert_eq!(nearest("gravity", ["radius", "mass"]), None);
        assert_eq!(nearest("x", []), None);
    }
}
