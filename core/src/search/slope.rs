//! Following a slope: when a single number was changed and the distance to a target with it, the number at which the
//! distance would be 0 is computed instead of groped for. Dates, times and single characters of a text are numbers too.
//!
//! Branch distances grow with the distance of what is compared (`instrumentation.md` 2), mostly as `k * |x - c|`. Two
//! evaluations that differ in one number give the line, and the line gives `c`: on the same side of it (the secant method)
//! or between them. Where the distance is a sum, of which other values have their parts, the line leads too far, and from there
//! back to where it turned. An exact 64-bit number is met in a handful of evaluations; mutation alone needs hundreds.

use crate::action::ValuePlace;
use crate::gene::{Gene, GenePath, Mutation, Part, Shift};

use super::Individual;
use super::TargetId;
use super::impact::GeneKey;
use super::kept::Kept;
use super::mutator::{Mutant, gene_at, genes_of, keyed_sites};

/// Steps in a row that come closer, after which a slope is left: it is no line.
const MAX_STEPS: u32 = 24;

/// A number of an individual.
#[derive(Debug, Clone, PartialEq)]
pub struct Spot {
    /// The action.
    pub action_idx: usize,
    /// The place in it.
    pub place: ValuePlace,
    /// The way to the gene there.
    pub path: GenePath,
    /// Its identity.
    pub key: GeneKey,
}

impl Spot {
    /// The gene that is here in `individual`; none where it is not here.
    pub fn gene<'a>(&self, individual: &'a Individual) -> Option<&'a Gene> {
        let action = individual.actions.get(self.action_idx)?;
        let is_here = keyed_sites(action).into_iter().any(|site| site == (self.key, self.place, self.path.clone()));
        let tree = genes_of(action).find(|(place, _)| *place == self.place && is_here);
        tree.and_then(|(_, tree)| tree.at(&self.path))
    }

    /// Small moves of the number that is here in `individual`; none where it is not here, or no number.
    pub fn small_moves(&self, individual: &Individual) -> Vec<Shift> {
        self.gene(individual).map(Gene::small_moves).unwrap_or_default()
    }

    /// `individual` with the number that is here moved; none where it stays.
    pub fn mutant(&self, mut individual: Individual, wanted: Shift, steps: u32) -> Option<Mutant> {
        let mut shifts = shift(&mut individual, self, wanted)?;
        // What was seen as a number stays one.
        shifts.retain(|shift| shift.part == wanted.part);
        let moved = Some(Move { spot: self.clone(), shifts, steps, is_look: false });
        Some(Mutant { individual, genes: vec![self.key], moved })
    }
}

/// The only change of a mutation, when it was to a number.
#[derive(Debug, Clone, PartialEq)]
pub struct Move {
    /// Which number.
    pub spot: Spot,
    /// How far it was moved, in each way to see it: another digit is another character and another number.
    pub shifts: Vec<Shift>,
    /// Steps in a row on the same slope that led here.
    pub steps: u32,
    /// Whether it only looks whether a character beside one with a slope has one too.
    pub is_look: bool,
}

/// How many characters in a row may be without a slope before the ones behind them are left alone.
const MAX_SILENT: u32 = 2;

/// A character to be looked at next, and the way on from there.
#[derive(Debug, Clone, PartialEq)]
struct Look {
    position: usize,
    /// Towards the end of the text, or its begin.
    is_forward: bool,
    /// Characters without a slope since the last one that had one.
    silent: u32,
}

impl Look {
    /// The character behind this one; none before the first.
    fn next(&self, silent: u32) -> Option<Self> {
        let position = if self.is_forward { self.position.checked_add(1) } else { self.position.checked_sub(1) };
        position.map(|position| Self { position, is_forward: self.is_forward, silent })
    }
}

/// Where a number must be moved to for a target, seen from the individual that is closest.
#[derive(Debug, Clone)]
pub struct Slope {
    spot: Spot,
    /// How far to move it, the best last.
    tries: Vec<Shift>,
    steps: u32,
    /// How much the distance changes where a part of the value moves by 1.
    steepness: Vec<(Part, f64)>,
    /// Whether a turning point was tried.
    has_turned: bool,
    /// Characters to be looked at when nothing is left to try, the next one last: what is compared to one of a text is
    /// compared to its neighbours.
    looks: Vec<Look>,
}

impl Slope {
    /// The slope that `moved` shows, with the distances to the target `before` and `after` it; none without one.
    pub fn new(moved: Move, before: f64, after: f64) -> Option<Self> {
        let (near, far) = (before.min(after), before.max(after));
        if !(near > 0.0 && far > near && far.is_finite()) || moved.steps >= MAX_STEPS {
            return None;
        }
        let mut tries = Vec::new();
        let mut steepness = Vec::new();
        // Other parts of a text may keep a line from being one: then it goes on in short moves.
        let mut further = Vec::new();
        for Shift { by, part } in moved.shifts.into_iter().filter(|it| it.by.is_finite() && it.by != 0.0) {
            // From the nearer of the two to the other.
            let way = if after < before { -by } else { by };
            tries.push(((far + near) / way.abs(), Shift { by: way * near / (far + near), part }));
            tries.push(((far - near) / way.abs(), Shift { by: -way * near / (far - near), part }));
            steepness.push((part, (far - near) / way.abs()));
            if let Part::Character(_) = part {
                let onward = if after < before { vec![by, 2.0 * by] } else { vec![-by] };
                further.extend(onward.into_iter().map(|by| Shift { by, part }));
            }
        }
        // Most services compare what they are sent as it is: then the distance grows as the number does.
        let strangeness = |steepness: f64| steepness.ln().abs();
        tries.sort_by(|(one, _), (other, _)| strangeness(*other).total_cmp(&strangeness(*one)));
        let mut tries: Vec<Shift> = tries.into_iter().map(|(_, shift)| shift).collect();
        tries.splice(0..0, further);
        let looks = steepness.iter().find_map(|(part, _)| match part {
            Part::Character(position) => Some(*position),
            Part::Whole | Part::Digits(_) | Part::Characters { .. } => None,
        });
        let looks = looks.into_iter().flat_map(|position| {
            [false, true].into_iter().filter_map(move |is_forward| Look { position, is_forward, silent: 0 }.next(0))
        });
        let looks = looks.collect();
        let is_slope = !tries.is_empty();
        is_slope.then(|| Self { spot: moved.spot, tries, steps: moved.steps + 1, steepness, has_turned: false, looks })
    }

    /// No slope yet: characters at `position` of the text at `spot` and around it are to be looked at.
    pub fn around(spot: Spot, position: usize) -> Self {
        let ahead = Look { position, is_forward: true, silent: 0 };
        let back = position.checked_sub(1).map(|position| Look { position, is_forward: false, silent: 0 });
        let looks = back.into_iter().chain([ahead]).collect();
        Self { spot, tries: Vec::new(), steps: 0, steepness: Vec::new(), has_turned: false, looks }
    }

    /// A move went too far: the distance fell and rose again, by the same steepness, so it tells where it turned.
    ///
    /// So it is when the distance is a sum, of which this number has only a part: of the characters of a text, say.
    fn turn(&mut self, Shift { by, part }: Shift, before: f64, after: f64) {
        let Some((_, steepness)) = self.steepness.iter().find(|(it, _)| *it == part) else { return };
        let way = (before - after + steepness * by.abs()) / (2.0 * steepness);
        if !self.has_turned && way > 0.0 && way < by.abs() {
            self.tries.push(Shift { by: way.copysign(by), part });
            self.has_turned = true;
        }
    }

    /// This slope, found on the way along `followed`, whose characters are still to be looked at.
    fn found_along(mut self, followed: Self, is_look: bool) -> Self {
        self.looks = followed.looks;
        if let Some(look) = self.looks.last_mut().filter(|_| is_look) {
            look.silent = 0;
        }
        self
    }

    /// The number that is moved.
    pub fn spot(&self) -> &Spot {
        &self.spot
    }

    /// The next individual to try from `kept`, the one that came closest to `target`; none when nothing is left to try.
    pub fn follow(&mut self, kept: &Kept, target: TargetId) -> Option<Mutant> {
        while let Some(wanted) = self.tries.pop() {
            let mutant = self.spot.mutant(kept.up_to_closest(target), wanted, self.steps);
            if mutant.is_some() {
                return mutant;
            }
        }
        self.look(kept, target)
    }

    /// An individual with the next character moved a little; none when none is left to be looked at.
    fn look(&mut self, kept: &Kept, target: TargetId) -> Option<Mutant> {
        while let Some(look) = self.looks.pop() {
            let silent = look.silent + 1;
            self.looks.extend(look.next(silent).filter(|_| silent <= MAX_SILENT));
            for by in [1.0, -1.0] {
                let mut individual = kept.up_to_closest(target);
                let wanted = Shift { by, part: Part::Character(look.position) };
                if let Some(shifts) = shift(&mut individual, &self.spot, wanted) {
                    let moved = Some(Move { spot: self.spot.clone(), shifts, steps: 0, is_look: true });
                    return Some(Mutant { individual, genes: vec![self.spot.key], moved });
                }
            }
        }
        None
    }
}

/// What is followed after `moved` changed the distance to the target from the first to the second: the slope that this
/// shows; the one that was followed when the move did not come closer, or showed none.
pub fn next_slope(followed: Option<Slope>, moved: Option<Move>, [before, after]: [f64; 2]) -> Option<Slope> {
    let moved = moved?;
    let Some(mut followed) = followed else { return Slope::new(moved, before, after) };
    let is_look = moved.is_look;
    if !is_look && after > before {
        for shift in moved.shifts {
            followed.turn(shift, before, after);
        }
        return Some(followed);
    }
    match Slope::new(moved, before, after) {
        Some(found) => Some(found.found_along(followed, is_look)),
        None => Some(followed).filter(|_| after > 0.0),
    }
}

/// Moves a number, and says how far, in each way to see it; none when it stays.
pub(super) fn shift(individual: &mut Individual, spot: &Spot, shift: Shift) -> Option<Vec<Shift>> {
    let gene = gene_at(individual.actions.get_mut(spot.action_idx)?, spot.place)?.at_mut(&spot.path)?;
    let before = gene.measure()?;
    match gene.shift(shift) {
        Mutation::Changed => Some(gene.measure()?.shifts_from(&before)),
        Mutation::Unchanged => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::action::ValuePlace;
    use crate::api::OperationIdx;
    use crate::gene::{GenePath, Part, Shift};

    use super::{GeneKey, MAX_STEPS, Move, Slope, Spot, next_slope};

    fn spot() -> Spot {
        let key = GeneKey { operation_idx: OperationIdx(0), place: 0, key: 0 };
        Spot { action_idx: 0, place: ValuePlace::Body, path: GenePath::default(), key }
    }

    /// The moves from the nearer of two numbers, the best first, where the distance is that to `wanted`.
    fn moves(from: f64, to: f64, distance: impl Fn(f64) -> f64) -> Option<Vec<f64>> {
        let slope = Slope::new(
            Move { spot: spot(), shifts: vec![Shift { by: to - from, part: Part::Whole }], steps: 0, is_look: false },
            distance(from),
            distance(to),
        )?;
        Some(slope.tries.into_iter().rev().map(|shift| shift.by).collect())
    }

    fn assert_near(moves: Option<Vec<f64>>, wanted: f64) {
        let best = moves.expect("a slope")[0];
        assert!((best - wanted).abs() < 1e-6, "{best} for {wanted}");
    }

    #[test]
    fn a_number_is_found_from_either_side_and_from_both() {
        let to_hundred = |x: f64| (x - 100.0).abs();
        assert_near(moves(0.0, 10.0, to_hundred), 90.0);
        assert_near(moves(10.0, 0.0, to_hundred), 90.0);
        assert_near(moves(500.0, 130.0, to_hundred), -30.0);
        assert_near(moves(0.0, 130.0, to_hundred), -30.0);
        assert_near(moves(90.0, 1_000.0, to_hundred), 10.0);
    }

    #[test]
    fn a_line_of_any_steepness_is_followed_by_one_of_two_moves() {
        let of_days = |x: f64| (x / 86_400.0 - 17_000.0).abs();
        let found = moves(0.0, 1e9, of_days).expect("a slope");
        assert!(found.iter().any(|by| (by - (86_400.0 * 17_000.0 - 1e9)).abs() < 1.0), "{found:?}");
    }

    #[test]
    fn what_did_not_move_the_distance_is_no_slope() {
        assert!(moves(0.0, 1.0, |_| 5.0).is_none());
        assert!(moves(0.0, 1.0, |x| x).is_none(), "reached already");
        assert!(moves(0.0, f64::NAN, |x| x).is_none());
        assert!(moves(0.0, 1.0, |x| if x > 0.0 { f64::INFINITY } else { 1.0 }).is_none());
    }

    #[test]
    fn a_slope_is_left_when_it_leads_nowhere() {
        let of_steps = |steps| {
            let shifts = vec![Shift { by: 1.0, part: Part::Whole }];
            Slope::new(Move { spot: spot(), shifts, steps, is_look: false }, 3.0, 2.0)
        };
        assert!(of_steps(MAX_STEPS - 1).is_some() && of_steps(MAX_STEPS).is_none());
    }

    #[test]
    fn a_digit_is_a_part_of_a_number_where_the_distance_grows_as_that_does() {
        let shifts = || vec![Shift { by: -1.0, part: Part::Character(1) }, Shift { by: -100.0, part: Part::Digits(0) }];
        let best = |before, after| {
            let moved = Move { spot: spot(), shifts: shifts(), steps: 0, is_look: false };
            *Slope::new(moved, before, after).expect("a slope").tries.last().expect("a try")
        };
        // From 2120 to 2020, where 2019 is wanted; and where each character is compared to its own.
        assert_eq!(best(101.0, 1.0), Shift { by: -1.0, part: Part::Digits(0) });
        assert_eq!(best(6.0, 5.0), Shift { by: -5.0, part: Part::Character(1) });
    }

    /// Distances and moves until a text becomes the wanted one, by looking and following alone.
    #[test]
    fn neighbours_of_a_character_with_a_slope_are_looked_at() {
        let wanted: Vec<f64> = "lynx".chars().map(|c| f64::from(u32::from(c))).collect();
        let mut text: Vec<f64> = "qqqqqqqq".chars().map(|c| f64::from(u32::from(c))).collect();
        let distance = |text: &[f64]| wanted.iter().zip(text).map(|(wanted, char)| (wanted - char).abs()).sum::<f64>();
        let before = distance(&text);
        text[1] += 1.0;
        let shifts = vec![Shift { by: 1.0, part: Part::Character(1) }];
        let mut slope = Slope::new(Move { spot: spot(), shifts, steps: 0, is_look: false }, before, distance(&text));
        let mut evaluations = 0;
        while let Some(following) = &mut slope {
            let before = distance(&text);
            let (character, by, is_look) = if let Some(Shift { by, part: Part::Character(character) }) = following.tries.pop() {
                (character, by.round(), false)
            } else if let Some(look) = following.looks.pop() {
                let silent = look.silent + 1;
                following.looks.extend(look.next(silent).filter(|_| silent <= super::MAX_SILENT));
                (look.position, 1.0, true)
            } else {
                break;
            };
            let mut moved = text.clone();
            let Some(char) = moved.get_mut(character) else { continue };
            *char += by;
            let after = distance(&moved);
            let shifts = vec![Shift { by, part: Part::Character(character) }];
            let steps = if is_look { 0 } else { following.steps };
            slope = next_slope(slope, Some(Move { spot: spot(), shifts, steps, is_look }), [before, after]);
            if after <= before {
                text = moved;
            }
            evaluations += 1;
        }
        assert!(distance(&text) < 0.5, "{text:?} after {evaluations}");
        assert!(evaluations < 30, "{evaluations}");
    }
}
