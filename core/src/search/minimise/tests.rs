//! Which tests are made of what the search kept.

use super::toy::{Toy, individual, numbers, with_state};
use super::*;
use crate::search::Kept;
use crate::search::{Evaluation, TargetId, TargetKind};

/// The solution after a search that executed these tests; none was cut.
fn solved(tests: &[&[u32]], calls: u64, halt: Option<Halt>, toy: &mut Toy) -> Solution {
    with_state(10, |problem, state| {
        for test in tests {
            let evaluation = toy.evaluate(individual(test), &mut state.targets).expect("nothing halts it");
            state.note_deaths(&evaluation);
            state.archive.offer(evaluation, 10, &state.targets);
        }
        toy.service.executed.clear();
        solve(problem, state, toy, SolveLimits::of_calls(calls), halt)
    })
}

fn kept(solution: &Solution) -> Vec<Vec<u32>> {
    solution.tests.iter().map(|test| numbers(&test.individual)).collect()
}

#[test]
fn a_fault_has_a_test_without_any_call_that_it_does_not_need() {
    // 4 fails after 1 and 3 in the same test.
    let mut toy = Toy::new(|called| {
        let needed = [1, 3].iter().all(|operation| called.in_test.contains(operation));
        if called.operation == 4 && needed { 500 } else { 200 }
    });
    // No calls are left for making tests plainer, and still the fault's test is short.
    let solution = solved(&[&[0, 1, 2, 3, 2, 4, 0]], 0, None, &mut toy);
    assert!(kept(&solution).contains(&vec![1, 3, 4]), "{:?}", kept(&solution));
}

#[test]
fn each_fault_has_its_own_test() {
    let mut toy = Toy::new(|called| if called.operation < 3 { 500 } else { 200 });
    assert_eq!(kept(&solved(&[&[3, 0, 3, 1, 2]], 100, None, &mut toy)), [vec![0], vec![1], vec![2], vec![3]]);
}

#[test]
fn what_the_test_of_a_fault_covers_needs_no_other_test() {
    let mut toy = Toy::new(|called| if called.operation == 1 && called.in_test.contains(&0) { 500 } else { 200 });
    let tests = kept(&solved(&[&[0], &[0, 1]], 100, None, &mut toy));
    assert!(tests.contains(&vec![0, 1]) && !tests.contains(&vec![0]), "{tests:?}");
}

#[test]
fn a_fault_that_trials_happen_to_show_gets_a_test_too() {
    // 2 fails where 1 was not called before, which the search never tried.
    let mut toy = Toy::new(|called| match called.operation {
        0 => 500,
        2 if !called.in_test.contains(&1) => 500,
        _ => 200,
    });
    let solution = solved(&[&[1, 2, 0, 2]], 100, None, &mut toy);
    assert!(kept(&solution).contains(&vec![2]), "{:?}", kept(&solution));
    assert_eq!(solution.shown, [0, 2].into());
}

#[test]
fn tests_that_became_the_same_are_one() {
    // What 2 makes is taken then.
    let mut toy = Toy::new(|called| if called.operation == 2 && called.ever.contains(&2) { 409 } else { 200 });
    let drafts = with_state(10, |_, state| {
        let mut draft = |operations: &[u32], target: u32| {
            let evaluation = toy.evaluate(individual(operations), &mut state.targets).expect("nothing halts it");
            Draft::new(&Kept::new(evaluation), vec![TargetId(target)])
        };
        let drafts = vec![draft(&[0, 1], 1), draft(&[0], 2), draft(&[0, 1], 0), draft(&[2], 3), draft(&[2], 4)];
        merged(drafts, state)
    });
    let merged: Vec<_> = drafts.iter().map(|draft| (numbers(&draft.individual), draft.targets.clone())).collect();
    let [made, taken] = [3, 4].map(|target| (vec![2], vec![TargetId(target)]));
    assert_eq!(merged, [(vec![0, 1], vec![TargetId(0), TargetId(1)]), (vec![0], vec![TargetId(2)]), made, taken]);
}

#[test]
fn places_in_the_code_are_served_by_few_tests_that_reach_them_again() {
    let mut toy = Toy::new(|_| 200);
    toy.service.code = |called| match called.operation {
        0 if called.ever.is_empty() => vec!["line:once"],
        0 => Vec::new(),
        1 => vec!["line:shared"],
        _ => vec!["line:shared", "line:own"],
    };
    let solution = with_state(3, |problem, state| {
        for operation in 0..3 {
            let evaluation = toy.evaluate(individual(&[operation]), &mut state.targets).expect("nothing halts it");
            // As a driver reports during the search: only what nobody reached before.
            let archive = &state.archive;
            let is_new = |target: TargetId| state.targets.kind(target) == TargetKind::Code && !archive.is_covered(target);
            let closeness = evaluation.closeness.iter().copied().filter(|(target, _)| is_new(*target)).collect();
            state.archive.offer(Evaluation { closeness, ..evaluation }, 1, &state.targets);
        }
        solve(problem, state, &mut toy, SolveLimits::of_calls(100), None)
    });
    assert_eq!(kept(&solution), [vec![1], vec![2]]);
}

#[test]
fn nothing_is_executed_after_a_halt() {
    let mut toy = Toy::new(|called| if called.operation == 1 { 500 } else { 200 });
    let solution = solved(&[&[0, 1, 0]], 100, Some(Halt::Interrupted), &mut toy);
    assert!(toy.service.executed.is_empty() && solution.executions == 0);
    assert_eq!(kept(&solution), [vec![0, 1, 0]]);
}

#[test]
fn the_same_search_gives_the_same_tests() {
    let run = || {
        let mut toy = Toy::new(|called| if called.ever.len() % 7 == 3 { 500 } else { 200 });
        let solution = solved(&[&[0, 1, 2, 3], &[4, 5], &[6, 7, 8]], 100, None, &mut toy);
        (kept(&solution), toy.service.executed)
    };
    assert_eq!(run(), run());
}

#[test]
fn no_test_calls_what_ends_the_service() {
    let mut toy = Toy::new(|_| 200);
    toy.service.ends = |called| called.operation == 1;
    let solution = solved(&[&[0, 2], &[1], &[3, 4, 5, 1]], 100, None, &mut toy);
    assert_eq!(kept(&solution), [vec![0, 2], vec![3, 4, 5]]);
    assert!(toy.service.executed.concat().iter().all(|operation| *operation != 1), "it is known to end the service");
    assert_eq!(solved(&[&[0], &[1]], 100, None, &mut toy).deadly, 1);
}

#[test]
fn a_service_that_keeps_ending_is_not_started_for_ever() {
    let mut toy = Toy::new(|called| if called.operation < 5 { 500 } else { 200 });
    // Whatever is called: it cannot be told before.
    toy.service.ends = |called| called.ever.len() > 10;
    let solution = solved(&[&[0, 1, 2, 3, 4], &[5, 6, 7, 8]], 100, None, &mut toy);
    assert!(toy.service.executed.len() <= 2 * MAX_DEATHS + 10, "{:?}", toy.service.executed);
    assert!(solution.tests.is_empty(), "{:?}", kept(&solution));
}

#[test]
fn one_test_waits_in_vain_and_the_others_are_spared_that() {
    let mut toy = Toy::renewable(|called| if called.operation == 0 { 0 } else { 200 });
    let solution = solved(&[&[1, 0], &[2, 0, 3], &[4, 0]], 100, None, &mut toy);
    assert_eq!(kept(&solution).iter().filter(|test| test.contains(&0)).count(), 1);
    assert!((1..5).all(|operation| kept(&solution).concat().contains(&operation)), "{:?}", kept(&solution));
    let waits = toy.service.executed.concat().into_iter().filter(|operation| *operation == 0).count();
    // Twice to see what it needs to show that, and twice to verify it.
    assert!(waits <= 4, "{waits}: {:?}", toy.service.executed);
}

#[test]
fn making_tests_plainer_leaves_half_of_the_patience_for_executing_them() {
    let mut toy = Toy::renewable(|called| if called.operation < 5 { 500 } else { 200 });
    let solution = with_state(10, |problem, state| {
        for fault in 0..5 {
            let test = individual(&[5, 6, 7, 8, 9, fault]);
            let evaluation = toy.evaluate(test, &mut state.targets).expect("nothing halts it");
            state.archive.offer(evaluation, 10, &state.targets);
        }
        // Making them as short as can be takes more than half of it.
        let limits = SolveLimits { patience: Some(toy.elapsed() + Duration::from_secs(50)), ..SolveLimits::of_calls(1_000) };
        solve(problem, state, &mut toy, limits, None)
    });
    assert_eq!((solution.shown.len(), solution.untried, solution.unproven), (5, 0, 0));
}

#[test]
fn what_making_tests_plainer_takes_too_long_is_not_taken_from_verifying_them() {
    let mut toy = Toy::new(|called| if called.operation == 4 { 500 } else { 200 });
    let solution = with_state(10, |problem, state| {
        let evaluation = toy.evaluate(individual(&[0, 1, 2, 3, 2, 4, 0]), &mut state.targets).expect("nothing halts it");
        state.archive.offer(evaluation, 10, &state.targets);
        // A call takes a second, a test of seven at least four more than this.
        let limits = SolveLimits::of_time(toy.elapsed(), Duration::from_secs(12));
        solve(problem, state, &mut toy, limits, None)
    });
    assert!(kept(&solution).contains(&vec![4]), "{:?}, untried: {}", kept(&solution), solution.untried);
}
