//! Services with a state that no reset undoes.

use super::*;
use crate::action::{CallViolation, Malformation, OddPath};
use crate::api::Verb;
use crate::search::minimise::toy::{Called, Toy, individual, numbers, with_state};
use crate::search::{Change, SolvedTest};

/// Executes each of `tests` once, as the search did, and verifies them.
fn verified(tests: &[&[u32]], toy: &mut Toy) -> Solution {
    let drafts = |state: &mut SearchState, toy: &mut Toy| tests.iter().map(|test| draft(test, state, toy)).collect();
    with_state(10, |problem, state| {
        let drafts = drafts(state, toy);
        toy.service.executed.clear();
        verify(problem, state, toy, drafts, SolveLimits::of_calls(0)).expect("nothing halts it")
    })
}

/// The same with so many seconds from then on, of which a call takes one: those of a time budget, or patience.
fn verified_within(seconds: u64, is_patience: bool, tests: &[&[u32]], toy: &mut Toy) -> Solution {
    with_state(20, |problem, state| {
        let drafts = tests.iter().map(|test| draft(test, state, toy)).collect();
        toy.service.executed.clear();
        let end = Some(toy.elapsed() + Duration::from_secs(seconds));
        let limits = SolveLimits::of_calls(0);
        let limits = if is_patience {
            SolveLimits { patience: end, ..limits }
        } else {
            SolveLimits { verify_until: end, settle_until: end, ..limits }
        };
        verify(problem, state, toy, drafts, limits).expect("nothing halts it")
    })
}

/// A test that is there for its last call.
fn draft(operations: &[u32], state: &mut SearchState, toy: &mut Toy) -> Draft {
    let evaluation = toy.evaluate(individual(operations), &mut state.targets).expect("nothing halts it");
    let Some(last) = evaluation.results.last() else { panic!("a test has calls") };
    let name = format!("{} -> {}", last.request.operation_idx.0, last.status().unwrap_or_default());
    let target = state.targets.intern(crate::search::TargetKind::Goal, &name);
    let mut draft = Draft::new(&crate::search::Kept::new(evaluation.clone()), vec![target]);
    draft.take(evaluation);
    draft
}

/// Operations and last status of each test that was kept.
fn kept(solution: &Solution) -> Vec<(Vec<u32>, Option<u16>)> {
    let last = |test: &SolvedTest| test.results.last().and_then(crate::action::ActionResult::status);
    solution.tests.iter().map(|test| (numbers(&test.individual), last(test))).collect()
}

/// Whether `operation` was called before, counted over all tests.
fn times(called: &Called<'_>, operation: u32) -> usize {
    called.ever.iter().filter(|other| **other == operation).count()
}

#[test]
fn passes_end_after_two_in_the_written_order_when_all_agree() {
    // By statuses the suites execute 2 (a fault), then 1 (a refusal), then 0.
    let mut toy = Toy::new(|called| [200, 404, 500][called.operation as usize]);
    let solution = verified(&[&[0], &[1], &[2]], &mut toy);
    // What is refused changes nothing, and comes first where a fresh service is wanted.
    assert_eq!(toy.service.executed.concat(), [1, 1, 2, 2, 0, 0, /**/ 1, 2, 0, /**/ 2, 1, 0, /**/ 2, 1, 0]);
    assert_eq!((solution.executions, solution.unstable, solution.untried), (4, 0, 0));
    assert_eq!(kept(&solution), [(vec![0], Some(200)), (vec![1], Some(404)), (vec![2], Some(500))]);
    assert!(solution.tests.iter().all(|test| test.repeats.len() == 4));
    assert!(solution.shown.contains(&2) && solution.shown.len() == 1);
}

#[test]
fn what_kept_a_test_from_being_repeatable_is_told() {
    // 1 is created once and there from then on; 0 always is.
    let mut toy = Toy::new(|called| if called.operation == 1 && times(called, 1) > 1 { 409 } else { 201 });
    let solution = verified(&[&[0], &[0, 1]], &mut toy);
    let change = Change { operation_idx: OperationIdx(1), before: Some(201), after: Some(409) };
    assert_eq!((solution.unstable, solution.changes), (1, [(change, 1)].into()));
}

#[test]
fn a_test_that_another_spoils_is_dropped() {
    // 0 is refused once 1 was called, until 2 is called.
    let mut toy = Toy::new(|called| {
        let last = called.ever.iter().rev().find(|operation| **operation > 0);
        if called.operation == 0 && last == Some(&1) { 409 } else { 200 }
    });
    let solution = verified(&[&[0], &[1], &[2]], &mut toy);
    assert_eq!(solution.unstable, 1);
    assert_eq!(kept(&solution), [(vec![1], Some(200)), (vec![2], Some(200))]);
}

#[test]
fn a_shorter_test_takes_the_place_of_one_that_fell() {
    // 0 succeeds every other time, which spoils the long test, but not what the short one is there for.
    let mut toy = Toy::new(|called| if called.operation == 0 && times(called, 0) % 2 == 1 { 409 } else { 200 });
    let solution = with_state(3, |problem, state| {
        let mut long = draft(&[0, 2], state, &mut toy);
        let first = state.targets.intern(crate::search::TargetKind::Goal, "0 -> 200");
        long.add_targets([first]);
        let short = toy.evaluate(individual(&[2]), &mut state.targets).expect("nothing halts it");
        state.archive.offer(short, 1, &state.targets);
        verify(problem, state, &mut toy, vec![long], SolveLimits::of_calls(0)).expect("nothing halts it")
    });
    assert_eq!((kept(&solution), solution.unstable), (vec![(vec![2], Some(200))], 1));
    assert!(solution.tests[0].repeats.len() >= 2);
}

/// The state that a pass in another order leaves is none that the written suite ever meets again.
#[test]
fn a_fault_that_needs_the_state_left_by_another_order_is_dropped() {
    // 0 stores something for good, 1 clears it, and 2 fails on what is stored; written: 2, 0, 1.
    let mut toy = Toy::new(|called| {
        let last = called.ever.iter().rev().find(|operation| **operation < 2);
        if called.operation == 2 && last == Some(&0) { 500 } else { 200 }
    });
    let solution = verified(&[&[1], &[0], &[2]], &mut toy);
    assert_eq!(kept(&solution), [(vec![1], Some(200)), (vec![0], Some(200))]);
    assert!(solution.tried.contains(&2) && !solution.shown.contains(&2), "the fault is unstable");
}

#[test]
fn a_test_that_passes_on_a_used_service_only_is_dropped_where_a_fresh_one_can_be_had() {
    // 0 needs what 1 leaves behind for good.
    let answer = |called: &Called<'_>| if called.operation == 0 && times(called, 1) == 0 { 404 } else { 200 };
    let mut lasting = Toy::new(answer);
    assert_eq!(kept(&verified(&[&[1], &[0]], &mut lasting)).len(), 2);
    let mut toy = Toy::renewable(answer);
    // In written order 1 is the first of the two, but users may choose others.
    assert_eq!(kept(&verified(&[&[1], &[0]], &mut toy)), [(vec![1], Some(200))]);
    let mut toy = Toy::renewable(answer);
    toy.evaluate(individual(&[1]), &mut crate::search::Targets::default()).expect("nothing halts it");
    let solution = verified(&[&[0], &[1]], &mut toy);
    assert_eq!(kept(&solution), [(vec![1], Some(200))]);
    assert!(toy.service.renewals > 0 && solution.unstable == 1);
}

/// Whatever the order of the two, each pass of both leaves what the next one needs.
#[test]
fn a_test_that_is_only_saved_by_another_that_clears_away_is_dropped() {
    // 0 is refused until 1 was called since the last time.
    let mut toy = Toy::renewable(|called| {
        let latest = called.ever.iter().rev().find(|operation| **operation < 2);
        if called.operation == 0 && latest == Some(&0) { 409 } else { 200 }
    });
    let solution = verified(&[&[0], &[1]], &mut toy);
    assert_eq!((kept(&solution), solution.unstable), (vec![(vec![1], Some(200))], 1));
}

#[test]
fn a_test_that_always_comes_after_what_it_needs_is_dropped() {
    // 0 is refused in another way once 1 was called, which as a fault is always executed before it.
    let mut toy = Toy::renewable(|called| match called.operation {
        0 if times(called, 1) > 0 => 404,
        0 => 410,
        _ => 500,
    });
    assert!(toy.evaluate(individual(&[1]), &mut crate::search::Targets::default()).is_ok());
    let solution = verified(&[&[1], &[0]], &mut toy);
    assert_eq!((kept(&solution), solution.unstable), (vec![(vec![1], Some(500))], 1));
}

#[test]
fn a_fault_that_shows_only_on_the_first_call_is_shown_by_no_test() {
    let answer = |called: &Called<'_>| if called.operation == 0 && times(called, 0) == 0 { 500 } else { 200 };
    for (mut toy, shows_again) in [(Toy::new(answer), false), (Toy::renewable(answer), true)] {
        let solution = verified(&[&[0], &[1]], &mut toy);
        assert_eq!(kept(&solution), [(vec![1], Some(200))]);
        assert!(solution.tried.contains(&0) && solution.shown.contains(&0) == shows_again);
    }
}

#[test]
fn a_test_that_answers_differently_by_turns_is_dropped() {
    let mut toy = Toy::new(|called| if called.operation == 0 && times(called, 0).is_multiple_of(2) { 503 } else { 200 });
    let solution = verified(&[&[0], &[1]], &mut toy);
    assert_eq!((kept(&solution), solution.unstable), (vec![(vec![1], Some(200))], 1));
}

#[test]
fn a_test_that_changes_because_another_went_is_dropped_too() {
    // 0 is refused from its third call on. 1 is refused when 0 was called since the last time.
    let mut toy = Toy::new(|called| {
        let latest = called.ever.iter().rev().find(|operation| **operation < 2);
        match called.operation {
            0 if times(called, 0) > 1 => 409,
            1 if latest == Some(&0) => 409,
            _ => 200,
        }
    });
    let solution = verified(&[&[0], &[3], &[1, 4], &[2]], &mut toy);
    assert_eq!(kept(&solution), [(vec![3], Some(200)), (vec![2], Some(200))]);
    assert_eq!((solution.executions, solution.unstable), (4 + 7, 2), "one more look");
}

#[test]
fn calls_that_were_taken_out_are_put_back_before_a_test_is_given_up() {
    // 1 fails right after 0; shortened to 1 alone it failed because of what another test had left.
    let mut toy = Toy::new(|called| if called.operation == 1 && called.ever.last() == Some(&0) { 500 } else { 200 });
    let solution = with_state(10, |problem, state| {
        let mut fault = draft(&[0, 1], state, &mut toy);
        let shortened = toy.evaluate(individual(&[0]), &mut state.targets);
        assert!(shortened.is_ok());
        fault.take(toy.evaluate(individual(&[1]), &mut state.targets).expect("nothing halts it"));
        let drafts = vec![fault, draft(&[0], state, &mut toy), draft(&[2], state, &mut toy)];
        verify(problem, state, &mut toy, drafts, SolveLimits::of_calls(0)).expect("nothing halts it")
    });
    assert_eq!(kept(&solution), [(vec![0, 1], Some(500)), (vec![0], Some(200)), (vec![2], Some(200))]);
    assert!(solution.shown.contains(&1) && solution.unstable == 0);
}

#[test]
fn a_finding_of_what_can_be_done_once_shows_again_on_a_service_started_anew() {
    // Each of 1 and 2 fails at the first of these calls, 3 at no time that others than the search see.
    let answer = |called: &Called<'_>| match called.operation {
        1 | 2 if times(called, 1) + times(called, 2) == 0 => 500,
        3 if called.ever == [7, 8] => 500,
        _ => 200,
    };
    for can_renew in [true, false] {
        let mut toy = if can_renew { Toy::renewable(answer) } else { Toy::new(answer) };
        let solution = with_state(10, |problem, state| {
            let drafts = [&[1][..], &[2], &[3]].map(|test| {
                toy.service.forget(if test == [3] { &[7, 8] } else { &[] });
                draft(test, state, &mut toy)
            });
            toy.service.forget(&[]);
            verify(problem, state, &mut toy, drafts.to_vec(), SolveLimits::of_calls(0)).expect("nothing halts it")
        });
        assert!(solution.tests.is_empty() && solution.tried.is_superset(&[1, 2, 3].into()), "{:?}", kept(&solution));
        let expected = if can_renew { vec![1, 2] } else { Vec::new() };
        assert_eq!(solution.alone.keys().copied().collect::<Vec<_>>(), expected);
        assert_eq!(solution.shown, expected.into_iter().collect());
        assert!(solution.alone.values().all(|requests| requests.len() == 1));
    }
}

#[test]
fn a_service_without_any_rule_ends_the_passes() {
    // From every third call of an operation on it gives something else, each at its own pace.
    let mut toy = Toy::new(|called| {
        let pace = 2 + called.operation as usize;
        if times(called, called.operation) % pace == pace - 1 { 404 } else { 200 }
    });
    let tests: Vec<[u32; 1]> = (0..10).map(|operation| [operation]).collect();
    let tests: Vec<&[u32]> = tests.iter().map(<[u32; 1]>::as_slice).collect();
    let solution = verified(&tests, &mut toy);
    let rounds = (0..MAX_ROUNDS).map(|number| round(number, true).len());
    assert!(solution.executions <= rounds.sum());
    assert_eq!(solution.unstable + solution.tests.len(), tests.len());
}

#[test]
fn what_agreed_is_kept_when_time_is_up_and_the_rest_is_counted() {
    let mut toy = Toy::new(|called| if called.operation == 3 && times(called, 3) > 0 { 409 } else { 200 });
    let solution = with_state(10, |problem, state| {
        let tests: [&[u32]; 4] = [&[0], &[1], &[2], &[3]];
        let drafts = tests.iter().map(|test| draft(test, state, &mut toy)).collect();
        // Four calls were made; there is time for three more: 1, 3 and 0.
        let end = Some(Duration::from_secs(7));
        let limits = SolveLimits { verify_until: end, settle_until: end, ..SolveLimits::of_calls(0) };
        verify(problem, state, &mut toy, drafts, limits).expect("nothing halts it")
    });
    assert_eq!(kept(&solution), [(vec![0], Some(200)), (vec![1], Some(200))]);
    assert_eq!((solution.executions, solution.unstable, solution.untried), (1, 1, 1));
    assert!(solution.tests.iter().all(|test| test.repeats.len() == 1), "the search executed it too");
}

#[test]
fn the_passes_go_through_all_orders_and_end_in_the_written_one() {
    let orders = |number: usize, depends_on_state: bool| {
        let passes = round(number, depends_on_state);
        passes.iter().map(|pass| pass.order).collect::<Vec<Order>>()
    };
    assert_eq!(orders(0, true), [Order::Doubled, Order::ReadersFirst, Order::Written, Order::Written]);
    assert_eq!(orders(1, false), [Order::Doubled, Order::Shuffled, Order::Written, Order::Written]);
    for (number, depends_on_state) in [(0, false), (1, false), (1, true), (MAX_ROUNDS - 1, true)] {
        let orders = orders(number, depends_on_state);
        assert_eq!((orders[0], &orders[orders.len() - 2..]), (Order::Doubled, &[Order::Written; 2][..]));
        let mut fresh = round(number, depends_on_state).iter().filter(|pass| pass.is_fresh).map(|pass| pass.order);
        assert_eq!(fresh.next_back(), Some(Order::Written), "users begin so");
    }
}

#[test]
fn what_needs_something_that_nearly_all_others_make_is_executed_before_them() {
    // 0 fails only where something was made, which is what all others do; 9 can be made once.
    let answer = |called: &Called<'_>| match called.operation {
        0 if called.ever.iter().any(|operation| (1..8).contains(operation)) => 500,
        9 if called.ever.contains(&9) => 409,
        _ => 200,
    };
    let mut toy = Toy::renewable(answer);
    assert!(toy.evaluate(individual(&[1]), &mut crate::search::Targets::default()).is_ok());
    let solution = verified(&[&[0], &[1], &[2], &[3], &[4], &[5], &[6], &[7], &[9]], &mut toy);
    assert!(kept(&solution).iter().all(|(operations, _)| operations != &[0]) && solution.tests.len() == 7);
}

/// The order in which a pass executes these tests.
fn ordered(tests: &[&[u32]], order: Order, toy: &mut Toy) -> Vec<Vec<u32>> {
    with_state(20, |_, state| {
        let drafts: Vec<Draft> = tests.iter().map(|test| draft(test, state, toy)).collect();
        let candidates: Vec<Candidate> = drafts.into_iter().map(Candidate::new).collect();
        let positions = positions(&candidates, order, &mut state.random);
        positions.into_iter().map(|idx| numbers(candidates[idx].individual())).collect()
    })
}

/// A search may be a `POST` as well, and succeeds whatever there is.
#[test]
fn what_may_only_ask_is_executed_before_what_makes_something_however_often_it_asks() {
    let tests: [&[u32]; 6] = [&[1], &[8, 8, 0], &[2], &[3], &[9, 9], &[4]];
    for order in [Order::ReadersFirst, Order::FewestChangesFirst] {
        let mut toy = Toy::new(|called| if called.operation < 8 { 201 } else { 200 });
        let mut first = ordered(&tests, order, &mut toy).swap_remove(0);
        assert_eq!(first, [9, 9], "{order:?}: all others made something");
        toy = Toy::new(|called| if (1..8).contains(&called.operation) { 201 } else { 200 });
        first = ordered(&[&[1], &[8, 8, 0], &[2], &[3], &[4]], order, &mut toy).swap_remove(0);
        assert_eq!(first, [8, 8, 0], "{order:?}");
    }
}

/// What there is but little of at any time by chance, for others clear away as often.
#[test]
fn a_pass_fills_the_service_before_others_read_and_clear_it() {
    let mut toy = Toy::new(|_| 200);
    toy.service.verb = |operation| match operation {
        0 => Verb::Get,
        1..5 => Verb::Post,
        _ => Verb::Delete,
    };
    let tests: [&[u32]; 8] = [&[5], &[0], &[1, 6], &[1], &[2, 0], &[0, 0], &[3], &[7]];
    let ordered = ordered(&tests, Order::MakersFirst, &mut toy);
    let kind = |test: &Vec<u32>| if test.iter().any(|it| *it > 4) { 2 } else { u8::from(test.iter().all(|it| *it == 0)) };
    assert!(ordered.is_sorted_by_key(kind), "{ordered:?}");
}

/// One order in six shows it, and neither is that of the suites, that from the last to the first, nor that of pairs.
#[test]
fn what_few_orders_show_is_looked_for_where_tests_fell_for_the_state() {
    // 0 is refused right after 1. 9 is created once.
    let answer = |called: &Called<'_>| match called.operation {
        0 if called.ever.last() == Some(&1) => 409,
        9 if times(called, 9) > 0 => 409,
        _ => 200,
    };
    let tests: Vec<[u32; 1]> = [1, 5, 2, 6, 0, 9].map(|operation| [operation]).to_vec();
    let tests: Vec<&[u32]> = tests.iter().map(<[u32; 1]>::as_slice).collect();
    let n_passes =
        |depends_on_state: bool| round(1, depends_on_state).iter().filter(|pass| pass.order == Order::Shuffled).count();
    assert_eq!((n_passes(false), n_passes(true)), (1, 2));
    let solution = verified(&tests, &mut Toy::new(answer));
    assert_eq!((solution.unstable, solution.tests.len()), (2, 4));
}

/// What answers where no operation is, a test may have put there, and it may be told to take its time.
#[test]
fn calls_that_are_kept_waiting_again_and_again_are_given_up() {
    let mut toy = Toy::new(|called| if called.operation < 40 && called.ever.len() > 40 { 0 } else { 200 });
    let solution = with_state(41, |problem, state| {
        let mut drafts: Vec<Draft> = (0..41).map(|operation| draft(&[operation], state, &mut toy)).collect();
        for draft in &mut drafts[..40] {
            draft.individual.actions[0].violation = Some(CallViolation::Request(Malformation::Path(OddPath::Extended)));
        }
        toy.service.executed.clear();
        verify(problem, state, &mut toy, drafts, SolveLimits::of_calls(0)).expect("nothing halts it")
    });
    assert_eq!((kept(&solution), solution.unstable), (vec![(vec![40], Some(200))], 40));
    let waits = toy.service.executed.concat().into_iter().filter(|operation| *operation < 40).count();
    assert_eq!(waits, MAX_LATE);
}

/// Starting a service anew takes longer than hundreds of calls.
#[test]
fn a_service_is_started_anew_for_one_round_when_all_agree() {
    let mut toy = Toy::renewable(|called| [200, 404, 500][called.operation as usize]);
    assert_eq!(kept(&verified(&[&[0], &[1], &[2]], &mut toy)).len(), 3);
    assert_eq!(toy.service.renewals, 2);
}

/// There may be more of its kind that no pass has shown so far.
#[test]
fn a_test_that_falls_for_the_state_of_the_service_brings_another_round() {
    // 0 finds what was there before the service was started anew.
    let mut toy = Toy::renewable(|called| if called.operation == 0 && times(called, 1) == 0 { 404 } else { 200 });
    assert!(toy.evaluate(individual(&[1]), &mut crate::search::Targets::default()).is_ok());
    let solution = verified(&[&[0], &[2]], &mut toy);
    assert_eq!((kept(&solution), solution.unstable), (vec![(vec![2], Some(200))], 1));
    assert_eq!((toy.service.renewals, solution.executions), (2 + 3, 4 + 7));
}

#[test]
fn tests_are_executed_on_a_fresh_service_again_without_one_that_changed_something() {
    // 0 succeeds once in the life of a service, and every time in its first life.
    let mut toy = Toy::renewable(|called| match called.operation {
        0 if called.ever.contains(&9) || times(called, 0) == 0 => 201,
        0 => 409,
        1 if times(called, 0) == 0 => 404,
        _ => 200,
    });
    assert!(toy.evaluate(individual(&[9]), &mut crate::search::Targets::default()).is_ok());
    let solution = verified(&[&[0], &[1], &[2]], &mut toy);
    assert_eq!((kept(&solution), solution.unstable), (vec![(vec![2], Some(200))], 2));
    assert_eq!((toy.service.renewals, solution.executions), (2 + 3, 4 + 7));
}

#[test]
fn what_stands_in_for_a_test_that_is_put_back_is_verified_with_it_and_left_out_when_that_holds() {
    // 1 is refused in its own way right after 0.
    let mut toy = Toy::renewable(|called| match (called.operation, called.in_test.last()) {
        (1, Some(0)) => 409,
        (1, _) => 404,
        _ => 400,
    });
    let solution = with_state(10, |problem, state| {
        let mut test = draft(&[0, 0, 1], state, &mut toy);
        let evaluation = toy.evaluate(individual(&[0, 1]), &mut state.targets).expect("nothing halts it");
        state.archive.offer(evaluation.clone(), 1, &state.targets);
        // Taken for one that needs no 0: what 0 left behind is gone.
        test.take(Evaluation { individual: individual(&[1]), ..evaluation });
        verify(problem, state, &mut toy, vec![test], SolveLimits::of_calls(0)).expect("nothing halts it")
    });
    assert_eq!((kept(&solution), solution.unstable), (vec![(vec![0, 0, 1], Some(409))], 0));
    assert!(toy.service.executed.contains(&vec![0, 1]), "the other was verified too");
}

#[test]
fn a_test_that_waits_in_vain_is_executed_no_more_often_than_it_must_be() {
    let mut toy = Toy::renewable(|called| if called.operation == 0 { 0 } else { 200 });
    let solution = verified(&[&[0], &[1], &[2]], &mut toy);
    assert_eq!(kept(&solution).len(), 3);
    let waits = toy.service.executed.concat().into_iter().filter(|operation| *operation == 0).count();
    assert_eq!((waits, solution.executions), (AGREEING - 1, 4), "the search waited once");
}

/// Operations below 6 make the same thing, and are refused when it is there.
fn same_thing(called: &Called<'_>) -> u16 {
    match called.operation {
        0..6 if called.ever.iter().any(|operation| *operation < 6) => 409,
        0..6 => 201,
        _ => 200,
    }
}

/// A service on which that thing was made.
fn with_same_thing() -> Toy {
    let mut toy = Toy::renewable(same_thing);
    assert!(toy.evaluate(individual(&[0]), &mut crate::search::Targets::default()).is_ok());
    toy
}

#[test]
fn of_tests_that_find_what_is_not_there_on_a_fresh_service_none_is_kept() {
    let tests: [&[u32]; 6] = [&[1], &[7], &[2], &[3], &[8], &[4]];
    let mut toy = with_same_thing();
    let solution = verified(&tests, &mut toy);
    assert_eq!(kept(&solution), [(vec![7], Some(200)), (vec![8], Some(200))]);
    assert_eq!((solution.unstable, solution.unproven), (4, 0), "each start shows the first of those that are left");
}

/// Each makes for the others what they find, so that one start shows one of them only.
#[test]
fn tests_that_there_was_no_time_to_see_on_a_fresh_service_are_left_out_and_counted() {
    let tests: [&[u32]; 7] = [&[1], &[7], &[2], &[3], &[8], &[4], &[5]];
    let doubled = 2 * tests.len() as u64;
    // There is time to execute each twice, on the used service, or once more on a fresh one as well.
    for (seconds, n_unstable) in [(doubled, LAST_PASSES), (doubled + 7, 1 + LAST_PASSES)] {
        let mut toy = with_same_thing();
        let solution = verified_within(seconds, true, &tests, &mut toy);
        assert_eq!(kept(&solution), [(vec![7], Some(200)), (vec![8], Some(200))], "{seconds} s");
        assert_eq!((solution.unstable, solution.unproven), (n_unstable, 5 - n_unstable), "{seconds} s");
        assert_eq!(toy.service.renewals, n_unstable);
    }
}

#[test]
fn tests_that_begin_as_one_that_falls_on_a_fresh_service_fall_with_it() {
    let tests: [&[u32]; 5] = [&[1, 7], &[1, 8], &[7], &[1, 9], &[2, 9]];
    let mut toy = with_same_thing();
    // Time for the first pass only: a start shows one of a kind, and there are two kinds.
    let solution = verified_within(18, true, &tests, &mut toy);
    assert_eq!((kept(&solution), solution.unstable, solution.unproven), (vec![(vec![7], Some(200))], 4, 0));
    assert_eq!(toy.service.renewals, 2);
}

#[test]
fn a_test_that_makes_what_it_needs_is_kept_though_another_fell_that_does_not() {
    // 6 makes the thing whether it is there or not.
    let answer = |called: &Called<'_>| match called.operation {
        1 if called.ever.iter().any(|operation| matches!(operation, 1 | 6)) => 409,
        1 => 201,
        _ => 200,
    };
    let tests: [&[u32]; 3] = [&[1], &[6, 1], &[7]];
    for seconds in [8, 100] {
        let mut toy = Toy::renewable(answer);
        assert!(toy.evaluate(individual(&[1]), &mut crate::search::Targets::default()).is_ok());
        let solution = verified_within(seconds, true, &tests, &mut toy);
        assert_eq!(kept(&solution), [(vec![6, 1], Some(409)), (vec![7], Some(200))], "{seconds} s");
        assert_eq!((solution.unstable, solution.unproven), (1, 0), "{seconds} s");
    }
}

#[test]
fn a_start_that_does_not_fit_into_a_time_budget_comes_on_top_of_it() {
    let mut toy = with_same_thing();
    toy.service.start = 60;
    let solution = verified_within(10, false, &[&[1], &[7], &[8]], &mut toy);
    assert_eq!(kept(&solution), [(vec![7], Some(200)), (vec![8], Some(200))]);
    assert_eq!((solution.unstable, solution.unproven, toy.service.renewals), (1, 0, LAST_PASSES));
    // Three on the used service until time was over, then all, then those that came after the one that fell.
    let executed = toy.service.executed.concat();
    assert_eq!(executed[executed.len() - 5..], [1, 8, 7, /**/ 7, 8]);
}

#[test]
fn faults_are_the_first_to_be_seen_on_a_fresh_service_when_time_is_over() {
    let mut toy = Toy::renewable(|called| if called.operation == 9 { 500 } else { 200 });
    // Nothing that changes the service tells one from another.
    toy.service.verb = |_| Verb::Get;
    toy.service.start = 60;
    let tests: [&[u32]; 6] = [&[1], &[2], &[3], &[4], &[5], &[9]];
    let solution = verified_within(18, false, &tests, &mut toy);
    assert_eq!((solution.tests.len(), solution.unproven, toy.service.renewals), (6, 0, 1));
    let executed = toy.service.executed.concat();
    assert_eq!(executed[executed.len() - 6], 9, "{executed:?}");
}

#[test]
fn what_was_never_executed_is_not_executed_on_top_of_the_time() {
    let tests: Vec<[u32; 1]> = (6..16).map(|operation| [operation]).collect();
    let tests: Vec<&[u32]> = tests.iter().map(<[u32; 1]>::as_slice).collect();
    let mut toy = Toy::renewable(same_thing);
    let solution = verified_within(4, false, &tests, &mut toy);
    assert_eq!((solution.tests.len(), solution.untried, solution.unproven), (4, 6, 0));
    assert_eq!((toy.service.renewals, toy.service.executed.len()), (1, 8));
}

#[test]
fn starts_of_two_rounds_use_up_no_patience() {
    let tests: [&[u32]; 2] = [&[7], &[8]];
    // Two calls twice, and three times more.
    let solutions = [0, 1000].map(|start| {
        let mut toy = Toy::renewable(same_thing);
        toy.service.start = start;
        let solution = verified_within(11, true, &tests, &mut toy);
        (solution.executions, solution.tests.len(), toy.service.renewals)
    });
    assert_eq!(solutions, [(4, 2, 2); 2]);
}

#[test]
fn tests_that_are_reset_need_no_start() {
    let mut toy = Toy::renewable(same_thing);
    toy.service.is_reset = true;
    let solution = verified_within(4, false, &[&[1], &[2], &[7]], &mut toy);
    assert_eq!((solution.tests.len(), solution.unproven, toy.service.renewals), (3, 0, 1), "one fits into the time");
    toy.service.start = 60;
    let solution = verified_within(4, false, &[&[1], &[2], &[7]], &mut toy);
    assert_eq!((solution.tests.len(), solution.unproven, toy.service.renewals), (3, 0, 1), "one does not");
}

#[test]
fn where_resets_do_not_reach_all_each_test_has_to_hold_on_a_fresh_service() {
    let tests: Vec<Vec<u32>> = (1..6).flat_map(|it| [vec![it], vec![7, it], vec![8, it], vec![9, it]]).collect();
    let tests: Vec<&[u32]> = tests.iter().map(Vec::as_slice).chain([&[7_u32][..]]).collect();
    let mut toy = with_same_thing();
    (toy.service.is_reset, toy.service.stays) = (true, &[0, 1, 2, 3, 4, 5]);
    let solution = verified(&tests, &mut toy);
    assert_eq!(kept(&solution), [(vec![7], Some(200))], "what others made answers the rest");
}

#[test]
fn where_no_fresh_service_can_be_had_what_agreed_is_kept() {
    let mut toy = Toy::new(same_thing);
    let solution = verified_within(20, true, &[&[1], &[7]], &mut toy);
    assert_eq!((solution.tests.len(), solution.unstable, solution.unproven), (1, 1, 0), "1 was made by its draft");
    let solution = verified_within(20, true, &[&[1], &[7]], &mut toy);
    assert_eq!((solution.tests.len(), solution.unproven), (2, 0));
}

#[test]
fn an_end_of_the_service_while_it_is_fresh_begins_another_life() {
    // 3 ends the service when 2 was called before it, in the written order only.
    let mut toy = Toy::renewable(|called| if called.operation == 2 { 500 } else { 200 });
    toy.service.ends = |called| called.operation == 3 && called.ever.contains(&2);
    let solution = verified(&[&[2], &[3], &[4]], &mut toy);
    assert_eq!((solution.deadly, solution.unproven), (1, 0));
    assert_eq!(kept(&solution), [(vec![2], Some(500)), (vec![4], Some(200))]);
}

/// Tests of one operation, of which another test gets in the way of one, in the written order.
#[test]
fn what_an_operation_answered_otherwise_lately_is_left_out_where_time_is_over_and_kept_where_there_is_more() {
    let answer = |called: &Called<'_>| match (called.operation, called.ever.last()) {
        (1, Some(5)) => 409,
        (5, _) => 404,
        _ => 200,
    };
    let tests: [&[u32]; 5] = [&[1], &[5], &[3, 1], &[4, 1], &[7]];
    let others = [(vec![5], Some(404)), (vec![7], Some(200))];
    let all = [(vec![5], Some(404)), (vec![3, 1], Some(200)), (vec![4, 1], Some(200)), (vec![7], Some(200))];
    // Three passes of seven calls, in the last of which the first one falls.
    for (more, expected, n_unproven) in [(0, &others[..], 2), (1000, &all[..], 0)] {
        let mut toy = Toy::renewable(answer);
        let solution = with_state(8, |problem, state| {
            let drafts = tests.iter().map(|test| draft(test, state, &mut toy)).collect();
            let end = toy.elapsed() + Duration::from_secs(22);
            let (verify_until, settle_until) = (Some(end), Some(end + Duration::from_secs(more)));
            let limits = SolveLimits { verify_until, settle_until, ..SolveLimits::of_calls(0) };
            verify(problem, state, &mut toy, drafts, limits).expect("nothing halts it")
        });
        let mut kept = kept(&solution);
        kept.sort_by_key(|(operations, _)| expected.iter().position(|(other, _)| other == operations));
        assert_eq!((kept.as_slice(), solution.unstable, solution.unproven), (expected, 1, n_unproven), "{more} s more");
    }
}

#[test]
fn findings_of_tests_that_are_left_out_for_lack_of_time_showed_again() {
    // Each of four faults needs what another test left, and one start shows one of them.
    let mut toy = Toy::renewable(|called| if called.ever.is_empty() { 200 } else { 500 });
    assert!(toy.evaluate(individual(&[9]), &mut crate::search::Targets::default()).is_ok());
    let solution = verified_within(8, true, &[&[1], &[2], &[3], &[4]], &mut toy);
    assert_eq!(solution.tests.len() + solution.unstable + solution.unproven, 4);
    assert_eq!(solution.shown.len(), solution.tests.len() + solution.unproven, "{solution:?}");
    assert!(solution.unproven > 0);
}

#[test]
fn where_many_tests_fall_for_others_there_are_as_many_as_time_allows_and_all_faults() {
    let answer = |called: &Called<'_>| match called.operation {
        1 if times(called, 1) >= 8 => 409,
        19 => 500,
        _ => 200,
    };
    let pairs = |first: std::ops::Range<u32>| first.flat_map(|first| (10..18).map(move |second| [first, second]));
    let mut tests: Vec<Vec<u32>> = pairs(2..10).map(Vec::from).collect();
    tests.extend((10..18).map(|first| vec![first, 1]));
    tests.push(vec![19]);
    let tests: Vec<&[u32]> = tests.iter().map(Vec::as_slice).collect();
    // 8 of 73 fall; a pass takes 145 s.
    let mut toy = Toy::renewable(answer);
    let solution = verified_within(400, false, &tests, &mut toy);
    assert_eq!((solution.tests.len(), solution.unstable, solution.unproven), (40, 8, 25));
    assert!(kept(&solution).contains(&(vec![19], Some(500))));
    let mut toy = Toy::renewable(answer);
    let solution = verified_within(4000, false, &tests, &mut toy);
    assert_eq!((solution.tests.len(), solution.unstable, solution.unproven), (65, 8, 0), "there is time");
}

#[test]
fn starts_of_the_service_leave_half_of_the_time_for_tests() {
    let answer = |called: &Called<'_>| match called.operation {
        1 if times(called, 1) >= 8 => 409,
        _ => 200,
    };
    let pairs = |first: std::ops::Range<u32>| first.flat_map(|first| (10..18).map(move |second| vec![first, second]));
    let tests: Vec<Vec<u32>> = pairs(2..10).chain((10..18).map(|first| vec![first, 1])).collect();
    let tests: Vec<&[u32]> = tests.iter().map(Vec::as_slice).collect();
    let mut toy = Toy::renewable(answer);
    // Four of them take more than all of the time, of which half is enough for eleven executions of some fifty tests.
    toy.service.start = 1000;
    let solution = verified_within(2400, false, &tests, &mut toy);
    assert_eq!((solution.unstable, solution.tests.len() + solution.unproven), (8, 64));
    assert!(solution.tests.len() > 48, "{}", solution.tests.len());
}

#[test]
fn faults_that_no_wrong_request_shows_have_tests_first_where_there_is_little_time() {
    let answer = |called: &Called<'_>| match called.operation {
        1 if times(called, 1) >= 8 => 409,
        1..10 => 200,
        _ => 500,
    };
    let mut toy = Toy::renewable(answer);
    let solution = with_state(60, |problem, state| {
        let mut drafts: Vec<_> = (2..10).map(|first| draft(&[first, 1], state, &mut toy)).collect();
        drafts.extend((10..60).map(|operation| draft(&[operation], state, &mut toy)));
        for wrong in drafts.iter_mut().filter(|draft| !draft.individual.calls(OperationIdx(59))) {
            let Some(action) = wrong.individual.actions.last_mut() else { panic!("a test has calls") };
            action.violation = Some(CallViolation::Request(Malformation::Accept("unknown/unknown")));
        }
        let end = Some(toy.elapsed() + Duration::from_mins(5));
        let limits = SolveLimits { verify_until: end, settle_until: end, ..SolveLimits::of_calls(0) };
        verify(problem, state, &mut toy, drafts, limits).expect("nothing halts it")
    });
    assert!(solution.unproven > 0, "there is no time for all");
    assert!(kept(&solution).contains(&(vec![59], Some(500))));
}

/// A test that is left out was the one that cleared away what another leaves.
#[test]
fn what_held_only_beside_tests_that_are_left_out_falls_in_the_last_round() {
    // 3 stores for good what 2 clears and 6 stumbles over. 1 is refused right after 5, so that [2, 1] may go the way of [1].
    let answer = |called: &Called<'_>| {
        let stored = called.ever.iter().rev().find(|operation| matches!(operation, 2 | 3));
        match (called.operation, called.ever.last(), stored) {
            (1, Some(5), _) => 409,
            (5, ..) => 404,
            (6, _, Some(3)) => 500,
            _ => 200,
        }
    };
    let tests: [&[u32]; 6] = [&[1], &[5], &[3], &[2, 1], &[7], &[6]];
    let mut toy = Toy::renewable(answer);
    let solution = with_state(8, |problem, state| {
        let drafts = tests.iter().map(|test| draft(test, state, &mut toy)).collect();
        // Three passes of seven calls, in the last of which [1] falls, then some that show nothing of 6.
        let end = toy.elapsed() + Duration::from_secs(21);
        let (verify_until, settle_until) = (Some(end), Some(end + Duration::from_secs(20)));
        let limits = SolveLimits { verify_until, settle_until, ..SolveLimits::of_calls(0) };
        verify(problem, state, &mut toy, drafts, limits).expect("nothing halts it")
    });
    assert_eq!(kept(&solution), [(vec![5], Some(404)), (vec![3], Some(200)), (vec![7], Some(200))]);
    assert_eq!((solution.unstable, solution.unproven), (2, 1), "{:?}", toy.service.executed);
}

/// In each round another test falls, so that all rounds are made and nothing has settled.
#[test]
fn where_tests_fell_up_to_the_last_of_all_rounds_more_passes_look_for_others() {
    // A call of 0 belongs to each pass: 6 up to the end of the first round, then 8 a round, and 38 before the last passes.
    const FALLS_AFTER: [usize; 8] = [usize::MAX, 4, 10, 17, 26, 34, 40, 100];
    let mut toy = Toy::new(|called| if times(called, 0) > FALLS_AFTER[called.operation as usize] { 409 } else { 200 });
    let tests: [&[u32]; 8] = [&[0], &[1], &[2], &[3], &[4], &[5], &[6], &[7]];
    let solution = verified(&tests, &mut toy);
    assert_eq!(kept(&solution), [(vec![0], Some(200)), (vec![7], Some(200))], "6 falls in the last passes");
    assert_eq!((solution.unstable, solution.executions), (6, 4 + 4 * 7 + 4));
}

#[test]
fn a_test_where_no_operation_is_may_fall_as_any_other_of_its_kind() {
    let mut toy = Toy::new(|_| 404);
    with_state(4, |_, state| {
        let mut astray = |operation: u32| {
            let mut draft = draft(&[operation], state, &mut toy);
            draft.individual.actions[0].violation = Some(CallViolation::Request(Malformation::Path(OddPath::Extended)));
            Candidate::new(draft)
        };
        let (fallen, alike) = (astray(1), astray(2));
        let change = Change { operation_idx: OperationIdx(1), before: Some(404), after: Some(200) };
        let mut falls = Falls::default();
        let mut fallen = [fallen];
        fallen[0].fall_with(Some(change));
        falls.note(0, Order::Shuffled, &fallen);
        let usual = Candidate::new(draft(&[2], state, &mut toy));
        // Whether there was time or not.
        let may_fall = |candidate: &Candidate| falls.telling(100, false).iter().any(|fall| candidate.may_fall_as(fall));
        assert_eq!((may_fall(&alike), may_fall(&usual)), (true, false));
        let own = Candidate::new(draft(&[1], state, &mut toy));
        assert!(!may_fall(&own), "of the same operation, but where that is");
    });
}

/// Kept and unproven tests of two that ask where no operation is, of which 5 has the first one answered, with a reset each.
fn astray_where_resets_leave(stays: &'static [u32]) -> (usize, usize) {
    let answer = |called: &Called<'_>| match called.operation {
        1 if called.ever.contains(&5) => 200,
        1 | 2 => 404,
        _ => 200,
    };
    let mut toy = Toy::renewable(answer);
    (toy.service.is_reset, toy.service.stays) = (true, stays);
    with_state(10, |problem, state| {
        let mut drafts: Vec<Draft> = [1, 2, 5].into_iter().map(|operation| draft(&[operation], state, &mut toy)).collect();
        for astray in &mut drafts[..2] {
            astray.individual.actions[0].violation = Some(CallViolation::Request(Malformation::Path(OddPath::Extended)));
        }
        assert!(toy.renew(), "so that none falls before others did anything");
        let solution = verify(problem, state, &mut toy, drafts, SolveLimits::of_calls(0)).expect("nothing halts it");
        (solution.tests.len(), solution.unproven)
    })
}

#[test]
fn tests_where_no_operation_is_are_left_out_with_one_that_falls_where_resets_do_not_reach_all() {
    assert_eq!(astray_where_resets_leave(&[]), (3, 0), "none is in the way of another");
    assert_eq!(astray_where_resets_leave(&[5]), (1, 1), "one fell, and one may");
}
