//! Quality tests: what the search must find on toy problems under a call budget, for every one of several seeds.

use std::time::Duration;

use crate::action::{ActionResult, Answer, Outcome, Request};
use crate::api::{Api, IntegerSchema, Operation, OperationIdx, Parameter, Schema, SchemaKind, StringSchema, Verb};
use crate::search::minimise::{SolveLimits, solve};
use crate::search::{
    Budget, Death, Evaluator, ExecutedCall, Execution, Executor, Feedback, Halt, Hint, Individual, Judge, Meanwhile, Problem,
    Proof, SearchSettings, SearchState, TargetKind, Targets, Usage, Verdict,
};

use super::run;

/// `n_operations` operations `POST /o0`, `POST /o1`, … with two integer query parameters each.
fn toy_api(n_operations: usize) -> Api {
    let mut api = Api::default();
    let integers = IntegerSchema { min: i64::from(i32::MIN), max: i64::from(i32::MAX), multiple_of: None };
    let schema = api.schemas.push(Schema::new(SchemaKind::Integer(integers)));
    let parameter = |name: &str| Parameter::query(name, schema);
    for idx in 0..n_operations {
        api.operations.push(Operation {
            parameters: vec![parameter("x"), parameter("y")],
            ..Operation::bare(Verb::Post, &format!("/o{idx}"))
        });
    }
    api
}

/// The calls of an individual as operation number and its two integers.
type Calls = Vec<(u32, i64, i64)>;

/// Computes closeness from the values; keeps what was evaluated.
struct Toy {
    service: Recorder,
    judge: Scores,
}

/// Keeps what is executed, up to a limit.
struct Recorder {
    seen: Vec<Calls>,
    stop_after: usize,
    /// The operation that ends the service.
    deadly: Option<u32>,
    /// How often it lets other work be done while it executes something.
    waits: usize,
    /// What it was told would be executed next, after each execution.
    told: Vec<Option<Calls>>,
    /// How often that was what it was to execute then.
    n_told: usize,
}

/// Kind, names and closeness of the targets that a sequence of calls reaches.
struct Scores {
    kind: TargetKind,
    score: fn(&Calls) -> Vec<(&'static str, f64)>,
}

impl Toy {
    fn new(score: fn(&Calls) -> Vec<(&'static str, f64)>) -> Self {
        let judge = Scores { kind: TargetKind::Goal, score };
        Self {
            service: Recorder { seen: Vec::new(), stop_after: usize::MAX, deadly: None, waits: 1, told: Vec::new(), n_told: 0 },
            judge,
        }
    }

    /// The same with targets that a driver measures.
    fn of_code(score: fn(&Calls) -> Vec<(&'static str, f64)>) -> Self {
        let mut toy = Self::new(score);
        toy.judge.kind = TargetKind::Code;
        toy
    }
}

fn calls_of(individual: &Individual) -> Calls {
    let integer = |value: Option<serde_json::Value>| value.and_then(|value| value.as_i64()).unwrap_or(0);
    individual
        .actions
        .iter()
        .map(|action| {
            (action.operation_idx.0, integer(action.parameters[0].to_json()), integer(action.parameters[1].to_json()))
        })
        .collect()
}

impl Evaluator for Toy {
    fn halves(&mut self) -> (&mut dyn Executor, &mut dyn Judge) {
        (&mut self.service, &mut self.judge)
    }

    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}

impl Judge for Scores {
    fn judge(&mut self, execution: &Execution, call_idx: usize, targets: &mut Targets) -> Verdict {
        if call_idx + 1 < execution.calls.len() {
            return Verdict::default();
        }
        let score = (self.score)(&calls_of(&execution.individual));
        let closeness = score.into_iter().map(|(name, h)| (targets.intern(self.kind, name), h)).collect();
        Verdict { closeness, findings: Vec::new() }
    }
}

impl Executor for Recorder {
    fn execute(&mut self, individual: Individual, meanwhile: &mut dyn FnMut()) -> Result<Execution, Halt> {
        if self.seen.len() >= self.stop_after {
            return Err(Halt::Interrupted);
        }
        (0..self.waits).for_each(|_| meanwhile());
        self.seen.push(calls_of(&individual));
        let calls = individual.actions.iter().map(|action| self.answered(action.operation_idx)).collect();
        Ok(Execution { individual, calls, elapsed: Duration::ZERO })
    }

    fn execute_before(&mut self, individual: Individual, meanwhile: &mut dyn Meanwhile) -> Result<Execution, Halt> {
        if let (true, Some(Some(told))) = (meanwhile.was_told(), self.told.last()) {
            assert_eq!(*told, calls_of(&individual));
            self.n_told += 1;
        }
        let execution = self.execute(individual, &mut || meanwhile.work());
        self.told.push(meanwhile.next().map(calls_of));
        execution
    }
}

fn answered(operation_idx: OperationIdx) -> ExecutedCall {
    let (url, headers) = (String::new(), Vec::new());
    let request = Request { operation_idx, verb: Verb::Post, url, headers, body: None, user: None };
    let answer = Answer { status: 200, ..Answer::default() };
    let result = ActionResult { request, outcome: Outcome::Answered(answer), elapsed: Duration::ZERO };
    ExecutedCall { result, links: Vec::new(), sut_death: None, feedback: None }
}

impl Recorder {
    fn answered(&self, operation_idx: OperationIdx) -> ExecutedCall {
        let death = || Death { how: "with exit status 0".to_owned(), culprit: operation_idx, proof: Proof::Untried };
        let sut_death = self.deadly.filter(|deadly| *deadly == operation_idx.0).map(|_| death());
        ExecutedCall { sut_death, ..answered(operation_idx) }
    }
}

/// Closeness of `|a - b|`: 1 when equal.
fn near(a: i64, b: i64) -> f64 {
    1.0 / (1.0 + (a - b).unsigned_abs() as f64)
}

/// What a run found: covered target names, and the evaluator with all it saw.
fn search(n_operations: usize, calls: u64, rng_seed: u64, mut toy: Toy) -> (Vec<String>, Toy) {
    let api = toy_api(n_operations);
    let settings = SearchSettings::new(Budget::Calls(calls), rng_seed);
    let all = (0..n_operations).map(|idx| OperationIdx(u32::try_from(idx).expect("few"))).collect();
    let problem = Problem::new(&api, all, 0, &settings);
    let mut state = SearchState::new(&problem);
    run(&problem, &mut state, &mut toy, &mut |_, _| {});
    assert!(state.calls <= calls, "{} calls of {calls}", state.calls);
    let covered = state.archive.covered().map(|target| state.targets.name(target).to_owned()).collect();
    (covered, toy)
}

const SEEDS: std::ops::Range<u64> = 0..10;

#[test]
fn an_exact_number_is_reached_by_its_distance() {
    fn score(calls: &Calls) -> Vec<(&'static str, f64)> {
        vec![("x is 123456", calls.iter().map(|(_, x, _)| near(*x, 123_456)).fold(0.0, f64::max))]
    }
    for rng_seed in SEEDS {
        let (covered, toy) = search(1, 4_000, rng_seed, Toy::new(score));
        assert_eq!(covered, ["x is 123456"], "seed {rng_seed}, {} evaluations", toy.service.seen.len());
    }
}

/// Closeness at a distance as a probe stores it: in single precision.
fn single(distance: i64) -> f64 {
    1.0 / (1.0 + f64::from(distance as f32))
}

#[test]
fn exact_numbers_in_the_code_are_computed_from_two_distances() {
    fn score(calls: &Calls) -> Vec<(&'static str, f64)> {
        let best = |distance: &dyn Fn(i64, i64) -> i64| {
            calls.iter().map(|(_, x, y)| single(distance(*x, *y).abs())).fold(0.0, f64::max)
        };
        vec![
            ("x is 1234567890", best(&|x, _| x - 1_234_567_890)),
            ("7 y is -700000007", best(&|_, y| 7 * y + 700_000_007)),
            ("x + y is 2000000000", best(&|x, y| x + y - 2_000_000_000)),
        ]
    }
    for rng_seed in SEEDS {
        let (covered, _) = search(2, 600, rng_seed, Toy::of_code(score));
        assert_eq!(covered.len(), 3, "seed {rng_seed}: {covered:?}");
    }
}

#[test]
fn a_number_that_code_compares_is_sounded_as_soon_as_the_code_is_seen() {
    fn score(calls: &Calls) -> Vec<(&'static str, f64)> {
        let best = |number: i64| calls.iter().map(|(_, x, _)| near(*x, number)).fold(0.0, f64::max);
        vec![("x is 48271", best(48_271)), ("x is -7", best(-7))]
    }
    for rng_seed in SEEDS {
        let (covered, toy) = search(1, 60, rng_seed, Toy::of_code(score));
        assert_eq!(covered.len(), 2, "seed {rng_seed}: {covered:?} of {:?}", toy.service.seen);
    }
}

#[test]
fn a_number_that_is_far_away_is_sounded_by_a_move_that_its_distance_shows() {
    fn score(calls: &Calls) -> Vec<(&'static str, f64)> {
        let best = |number: i64| calls.iter().map(|(_, x, _)| single((x - number).abs())).fold(0.0, f64::max);
        vec![("x is 1234567890", best(1_234_567_890)), ("x is -1987654321", best(-1_987_654_321))]
    }
    for rng_seed in SEEDS {
        let (covered, toy) = search(1, 60, rng_seed, Toy::of_code(score));
        assert_eq!(covered.len(), 2, "seed {rng_seed}: {covered:?} of {:?}", toy.service.seen);
    }
}

#[test]
fn a_condition_on_two_numbers_is_met_where_no_move_of_one_meets_it() {
    fn score(calls: &Calls) -> Vec<(&'static str, f64)> {
        let beyond = |x: i64| if x > 2000 { 1.0 } else { 1.0 / (2002 - x) as f64 };
        let mut all = vec![("x is above 2000", calls.iter().map(|(_, x, _)| beyond(*x)).fold(0.0, f64::max))];
        let seats = calls.iter().filter(|(_, x, _)| *x > 2000).map(|(_, x, y)| near(3 * x - 7 * y, 1000));
        all.extend(seats.reduce(f64::max).map(|best| ("3x - 7y is 1000", best)));
        all
    }
    for rng_seed in SEEDS {
        let (covered, toy) = search(1, 400, rng_seed, Toy::of_code(score));
        assert_eq!(covered.len(), 2, "seed {rng_seed}: {covered:?} of {:?}", toy.service.seen);
    }
}

/// A service that tells what it does with a text.
struct Reader {
    seen: Vec<String>,
    /// What it does, and with what.
    told: fn(&str) -> Option<(Usage, &'static str)>,
}

/// What a text covers, and how closely.
struct Nearness {
    score: fn(&str) -> Option<(&'static str, f64)>,
}

struct Reading {
    service: Reader,
    judge: Nearness,
}

impl Reading {
    /// The texts that are sent in so many calls.
    fn seen(mut self, calls: u64, rng_seed: u64) -> Vec<String> {
        let mut api = Api::default();
        let schema = api.schemas.push(Schema::new(SchemaKind::String(StringSchema::default())));
        let parameters = vec![Parameter { required: true, ..Parameter::query("x", schema) }];
        api.operations.push(Operation { parameters, ..Operation::bare(Verb::Get, "/o") });
        let settings = SearchSettings::new(Budget::Calls(calls), rng_seed);
        let problem = Problem::new(&api, vec![OperationIdx(0)], 0, &settings);
        run(&problem, &mut SearchState::new(&problem), &mut self, &mut |_, _| {});
        self.service.seen
    }
}

fn text_of(individual: &Individual) -> String {
    let text = individual.actions.last().and_then(|action| action.parameters[0].to_json());
    text.and_then(|it| it.as_str().map(str::to_owned)).unwrap_or_default()
}

impl Executor for Reader {
    fn execute(&mut self, individual: Individual, meanwhile: &mut dyn FnMut()) -> Result<Execution, Halt> {
        meanwhile();
        let text = text_of(&individual);
        let hint = |(usage, operand): (Usage, &str)| Hint {
            tracked: text.clone(),
            is_part: false,
            usage,
            operand: operand.to_owned(),
        };
        let hints: Vec<Hint> = (self.told)(&text).map(hint).into_iter().collect();
        self.seen.push(text);
        let calls = individual.actions.iter().map(|_| {
            let feedback = Some(Feedback { hints: hints.clone(), ..Feedback::default() });
            ExecutedCall { feedback, ..answered(OperationIdx(0)) }
        });
        Ok(Execution { calls: calls.collect(), individual, elapsed: Duration::ZERO })
    }
}

impl Judge for Nearness {
    fn judge(&mut self, execution: &Execution, call_idx: usize, targets: &mut Targets) -> Verdict {
        let is_last = call_idx + 1 == execution.calls.len();
        let score = (self.score)(&text_of(&execution.individual)).filter(|_| is_last);
        let closeness = score.map(|(name, closeness)| (targets.intern(TargetKind::Code, name), closeness));
        Verdict { closeness: closeness.into_iter().collect(), findings: Vec::new() }
    }
}

impl Evaluator for Reading {
    fn halves(&mut self) -> (&mut dyn Executor, &mut dyn Judge) {
        (&mut self.service, &mut self.judge)
    }

    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}

#[test]
fn a_text_that_turns_out_to_be_a_number_is_looked_at_right_away() {
    fn score(text: &str) -> Option<(&'static str, f64)> {
        text.parse().ok().map(|number| ("x is 48271", near(number, 48_271)))
    }
    for rng_seed in SEEDS {
        let service = Reader { seen: Vec::new(), told: |_| Some((Usage::Integer, "")) };
        let seen = Reading { service, judge: Nearness { score } }.seen(300, rng_seed);
        let first = seen.iter().position(|text| text == "48271");
        assert!(first.is_some_and(|first| first < 40), "seed {rng_seed}: {first:?} of {seen:?}");
    }
}

#[test]
fn what_a_trial_leads_to_is_sent_right_after_it() {
    const STEPS: [&str; 3] = ["emu,", "gnu,", "yak,"];
    fn n_met(text: &str) -> usize {
        STEPS.iter().take_while(|step| text.contains(**step)).count()
    }
    for rng_seed in SEEDS {
        let told = |text: &str| Some((Usage::EndsWith, STEPS.get(n_met(text)).copied().unwrap_or("all")));
        let service = Reader { seen: Vec::new(), told };
        let seen = Reading { service, judge: Nearness { score: |_| None } }.seen(60, rng_seed);
        let first = seen.iter().position(|text| n_met(text) == 1).expect("the first step is tried");
        let met: Vec<usize> = seen[first..].iter().map(|text| n_met(text)).take(STEPS.len()).collect();
        assert_eq!(met, [1, 2, 3], "seed {rng_seed}: {seen:?}");
    }
}

#[test]
fn what_a_text_must_contain_is_found_where_it_is_most_like_it() {
    /// As a replaced method measures it: the characters of the part that is nearest.
    fn score(text: &str) -> Option<(&'static str, f64)> {
        let text: Vec<char> = text.chars().collect();
        let apart = |(a, b): (&char, char)| f64::from(u32::from(*a).abs_diff(u32::from(b)));
        let distances = text.windows(4).map(|part| part.iter().zip("newt".chars()).map(apart).sum::<f64>());
        Some(("x contains newt", 1.0 / (1.0 + distances.min_by(f64::total_cmp)?)))
    }
    let n_seen = |rng_seed| {
        let service = Reader { seen: Vec::new(), told: |_| None };
        let seen = Reading { service, judge: Nearness { score } }.seen(2_000, rng_seed);
        seen.iter().position(|text| text.contains("newt"))
    };
    // Where texts are changed as chance has it, it takes twice as many.
    let n_seen: Vec<usize> = SEEDS.map(|rng_seed| n_seen(rng_seed).expect("it is found")).collect();
    assert!(n_seen.iter().sum::<usize>() < 900, "{n_seen:?}");
}

#[test]
fn many_targets_are_reached_in_one_run() {
    fn score(calls: &Calls) -> Vec<(&'static str, f64)> {
        let best = |score: &dyn Fn(&(u32, i64, i64)) -> f64| calls.iter().map(score).fold(0.0, f64::max);
        vec![
            ("x 1000", best(&|(_, x, _)| near(*x, 1000))),
            ("y -777", best(&|(_, _, y)| near(*y, -777))),
            ("x = y, large", best(&|(_, x, y)| if *x > 5_000 { 0.5 + near(*x, *y) / 2.0 } else { near(*x, 5_001) / 2.0 })),
        ]
    }
    let found: Vec<usize> = SEEDS.map(|rng_seed| search(1, 6_000, rng_seed, Toy::new(score)).0.len()).collect();
    assert!(found.iter().sum::<usize>() >= 29, "targets of 3 by seed: {found:?}");
}

#[test]
fn a_sequence_of_operations_is_assembled() {
    fn score(calls: &Calls) -> Vec<(&'static str, f64)> {
        let wanted = [2, 0, 3, 1];
        let reached = calls
            .iter()
            .fold(0, |reached, call| if reached < wanted.len() && call.0 == wanted[reached] { reached + 1 } else { reached });
        vec![("2, 0, 3, 1", (reached as f64 + 0.1) / 4.1)]
    }
    for rng_seed in SEEDS {
        let (covered, _) = search(4, 4_000, rng_seed, Toy::new(score));
        assert_eq!(covered.len(), 1, "seed {rng_seed}");
    }
}

#[test]
fn the_same_seed_evaluates_the_same_individuals() {
    fn score(calls: &Calls) -> Vec<(&'static str, f64)> {
        vec![("length", calls.len() as f64 / 11.0), ("x", near(calls[0].1, 99))]
    }
    let seen = |rng_seed| search(3, 500, rng_seed, Toy::new(score)).1.service.seen;
    assert_eq!(seen(7), seen(7));
    assert_ne!(seen(7), seen(8));
}

#[test]
fn work_done_while_waiting_is_the_same_as_work_done_later() {
    fn score(calls: &Calls) -> Vec<(&'static str, f64)> {
        vec![("length", calls.len() as f64 / 11.0), ("x", near(calls[0].1, 99))]
    }
    let seen = |waits| {
        let mut toy = Toy::new(score);
        toy.service.waits = waits;
        search(3, 500, 7, toy).1.service.seen
    };
    assert!(seen(0) == seen(1), "never and once");
    assert!(seen(0) == seen(3), "never and often");
}

/// Deaths that the search brings about where one of `n_operations` operations ends the service.
fn deaths(n_operations: usize, rng_seed: u64) -> usize {
    let mut toy = Toy::new(|calls| vec![("length", calls.len() as f64 / 11.0), ("x", near(calls[0].1, 99))]);
    toy.service.deadly = Some(0);
    let seen = search(n_operations, 500, rng_seed, toy).1.service.seen;
    seen.concat().iter().filter(|call| call.0 == 0).count()
}

#[test]
fn an_operation_that_ends_the_service_is_given_up() {
    for rng_seed in SEEDS {
        // A test that was on its way may call it several times.
        assert!((3..=20).contains(&deaths(3, rng_seed)), "seed {rng_seed}: {}", deaths(3, rng_seed));
    }
}

#[test]
fn a_search_ends_when_nothing_is_left_to_call() {
    assert!(deaths(1, 1) < 40);
}

#[test]
fn an_interrupted_run_still_has_its_tests() {
    fn score(calls: &Calls) -> Vec<(&'static str, f64)> {
        vec![("any", 1.0), ("two", if calls.len() > 1 { 1.0 } else { 0.5 })]
    }
    let api = toy_api(2);
    let settings = SearchSettings::new(Budget::Calls(1_000), 1);
    let problem = Problem::new(&api, vec![OperationIdx(0), OperationIdx(1)], 0, &settings);
    let mut state = SearchState::new(&problem);
    let mut toy = Toy::new(score);
    toy.service.stop_after = 40;
    let halt = run(&problem, &mut state, &mut toy, &mut |_, _| {});
    assert_eq!(halt, Some(Halt::Interrupted));
    let limits = SolveLimits::of_calls(100);
    let solution = solve(&problem, &mut state, &mut toy, limits, halt);
    assert!(solution.tests.iter().all(|test| !test.results.is_empty()));
    assert_eq!(solution.tests.iter().map(|test| test.targets.len()).sum::<usize>(), 2);
}

#[test]
fn a_solution_is_small_plain_and_complete() {
    fn score(calls: &Calls) -> Vec<(&'static str, f64)> {
        let large = calls.iter().any(|(_, x, _)| *x > 1_000);
        vec![("any", 1.0), ("large", if large { 1.0 } else { 0.5 })]
    }
    let api = toy_api(2);
    let settings = SearchSettings::new(Budget::Calls(500), 3);
    let problem = Problem::new(&api, vec![OperationIdx(0), OperationIdx(1)], 0, &settings);
    let mut state = SearchState::new(&problem);
    let mut toy = Toy::new(score);
    assert_eq!(run(&problem, &mut state, &mut toy, &mut |_, _| {}), None);
    let limits = SolveLimits::of_calls(1_000);
    let solution = solve(&problem, &mut state, &mut toy, limits, None);
    assert_eq!(solution.tests.len(), 1, "one test covers both");
    assert_eq!(solution.tests[0].repeats.len(), 4);
    let calls = calls_of(&solution.tests[0].individual);
    assert!(calls.len() == 1 && calls[0].1 > 1_000 && calls[0].2 == 0, "{calls:?}");
}

#[test]
fn what_is_executed_next_is_known_when_the_waiting_is_over() {
    fn score(calls: &Calls) -> Vec<(&'static str, f64)> {
        vec![("x is 7", calls.iter().map(|(_, x, _)| near(*x, 7)).fold(0.0, f64::max))]
    }
    for rng_seed in SEEDS {
        let mut toy = Toy::new(score);
        // As often as there are calls in a test, or more.
        toy.service.waits = 20;
        let (_, toy) = search(3, 200, rng_seed, toy);
        let Recorder { seen, told, n_told, .. } = toy.service;
        // At the end the last ones may be cut short.
        assert!(told.len() == seen.len() && n_told + 3 >= seen.len(), "seed {rng_seed}: {n_told} of {}", seen.len());
    }
}
