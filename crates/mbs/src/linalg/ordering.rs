//! Fill-reducing elimination orders.

use std::collections::BTreeSet;

/// Minimum-degree order of a symmetric pattern, ties broken by the smaller index, with the fill it causes.
///
/// Returns the order and, for every position in it, the later positions it is connected to (ascending).
/// Source: A. George & J. W. H. Liu, "The evolution of the minimum degree ordering algorithm", SIAM Review 31 (1989).
pub(super) fn minimum_degree(n: usize, edges: &[(usize, usize)]) -> (Vec<usize>, Vec<Vec<usize>>) {
    let mut neighbours = vec![BTreeSet::new(); n];
    for &(i, j) in edges.iter().filter(|(i, j)| i != j) {
        reserve::check();
        neighbours[i].insert(j);
        neighbours[j].insert(i);
    }
    let mut queue: BTreeSet<(usize, usize)> = (0..n).map(|i| (neighbours[i].len(), i)).collect();
    let mut order = Vec::with_capacity(n);
    let mut later = Vec::with_capacity(n);
    while let Some((_, k)) = queue.pop_first() {
        reserve::check();
        let adjacent: Vec<usize> = std::mem::take(&mut neighbours[k]).into_iter().collect();
        for &i in &adjacent {
            queue.remove(&(neighbours[i].len(), i));
            neighbours[i].remove(&k);
            neighbours[i].extend(adjacent.iter().filter(|&&j| j != i));
            queue.insert((neighbours[i].len(), i));
        }
        order.push(k);
        later.push(adjacent);
    }
    let mut position = vec![0; n];
    for (at, &k) in order.iter().enumerate() {
        position[k] = at;
    }
    for list in &mut later {
        list.iter_mut().for_each(|k| *k = position[*k]);
        list.sort_unstable();
    }
    (order, later)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_is_eliminated_without_fill() {
        let edges: Vec<_> = (1..6).map(|leaf| (0, leaf)).collect();
        let (order, later) = minimum_degree(6, &edges);
        assert!(order.iter().position(|&k| k == 0) >= Some(4));
        assert_eq!(later.iter().map(Vec::len).sum::<usize>(), 5);
    }

    #[test]
    fn a_chain_has_linear_fill() {
        let edges: Vec<_> = (1..100).map(|i| (i - 1, i)).collect();
        let (_, later) = minimum_degree(100, &edges);
        assert!(later.iter().map(Vec::len).sum::<usize>() <= 200);
    }
}
