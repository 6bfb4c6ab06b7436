//! Dates and times of RFC 3339, changed field by field.

use time::format_description::well_known::Rfc3339;
use time::{Date, Duration, Month, OffsetDateTime, Time, UtcOffset};

use super::TextForm;
use crate::random::Random;

/// Days on which programs go wrong: epochs, leap days, year ends, the ends of 32-bit counters and of four digits.
const DAYS: [(i32, u8, u8); 14] = [
    (1970, 1, 1),
    (1969, 12, 31),
    (2000, 2, 29),
    (1999, 12, 31),
    (2000, 1, 1),
    (2020, 2, 29),
    (2019, 3, 31),
    (2038, 1, 19),
    (2100, 2, 28),
    (1900, 1, 1),
    (1582, 10, 15),
    (9999, 12, 31),
    (1, 1, 1),
    (2024, 12, 31),
];

const MILLISECONDS_OF_A_DAY: f64 = 86_400_000.0;

pub(super) fn sample_date(random: &mut Random) -> String {
    render(TextForm::Date, sample(random)).unwrap_or_default()
}

pub(super) fn sample_time(random: &mut Random) -> String {
    render(TextForm::Time, sample(random)).unwrap_or_default()
}

pub(super) fn sample_date_time(random: &mut Random) -> String {
    render(TextForm::DateTime, sample(random)).unwrap_or_default()
}

/// A moment between 1990 and 2035 mostly, a telling day or any year else.
fn sample(random: &mut Random) -> OffsetDateTime {
    let (year, month, day) = match random.below(10) {
        0..=6 => (small(random, 1990, 2035), small(random, 1, 12), small(random, 1, 28)),
        7..=8 => random.pick(&DAYS).copied().unwrap_or((2020, 1, 1)),
        _ => (small(random, 1, 9999), small(random, 1, 12), small(random, 1, 31)),
    };
    let date = valid_date(year, month, day);
    let time = match random.below(4) {
        0 => Time::MIDNIGHT,
        1 => Time::from_hms(23, 59, 59).unwrap_or(Time::MIDNIGHT),
        _ => Time::from_hms(small(random, 0, 23), small(random, 0, 59), small(random, 0, 59)).unwrap_or(Time::MIDNIGHT),
    };
    let time = if random.chance(0.2) { time.replace_millisecond(small(random, 0, 999)).unwrap_or(time) } else { time };
    date.with_time(time).assume_offset(sample_offset(random))
}

fn sample_offset(random: &mut Random) -> UtcOffset {
    if random.chance(0.8) {
        return UtcOffset::UTC;
    }
    let quarter_hours = random.between(-48, 56);
    i32::try_from(quarter_hours * 900)
        .ok()
        .and_then(|seconds| UtcOffset::from_whole_seconds(seconds).ok())
        .unwrap_or(UtcOffset::UTC)
}

/// The date, with the day brought into the month.
fn valid_date(year: i32, month: u8, day: u8) -> Date {
    let month = Month::try_from(month).unwrap_or(Month::January);
    Date::from_calendar_date(year, month, day.min(month.length(year))).unwrap_or(Date::MIN)
}

fn small<T: TryFrom<i64> + Into<i64>>(random: &mut Random, first: T, last: T) -> T {
    let (first, last) = (first.into(), last.into());
    T::try_from(random.between(first, last)).unwrap_or_else(|_| unreachable!("between two values of the type"))
}

/// `value` moved by a day, a month, a year or a smaller unit; none when it cannot be read.
pub(super) fn mutated(random: &mut Random, form: TextForm, value: &str) -> Option<String> {
    let moment = parse(form, value)?;
    let count = 1_i64 << random.below(6);
    let count = if random.chance(0.5) { -count } else { count };
    let field =
        if form == TextForm::Time { 4 + random.below(5) } else { random.below(if form == TextForm::Date { 4 } else { 9 }) };
    let moved = match field {
        0 => moment.checked_add(Duration::days(count)),
        1 => moved_by_months(moment, count),
        2 => moved_by_months(moment, count * 12),
        3 => Some(moment.replace_date(random.pick(&DAYS).map(|(year, month, day)| valid_date(*year, *month, *day))?)),
        4 => moment.checked_add(Duration::hours(count)),
        5 => moment.checked_add(Duration::minutes(count)),
        6 => moment.checked_add(Duration::seconds(count)),
        7 => moment.checked_add(Duration::milliseconds(count)),
        _ => Some(moment.replace_offset(sample_offset(random))),
    }?;
    render(form, moved)
}

/// Milliseconds since the epoch, of a time of day since midnight of some day; none for other texts.
pub(super) fn milliseconds(form: TextForm, value: &str) -> Option<i64> {
    let moment = matches!(form, TextForm::Date | TextForm::Time | TextForm::DateTime).then(|| parse(form, value))??;
    i64::try_from(moment.unix_timestamp_nanos() / 1_000_000).ok()
}

/// `value` moved by milliseconds, a date by the nearest number of days; none where that cannot be written.
pub(super) fn shifted(form: TextForm, value: &str, by: f64) -> Option<String> {
    let moment = milliseconds(form, value).and_then(|_| parse(form, value))?;
    let unit = if form == TextForm::Date { MILLISECONDS_OF_A_DAY } else { 1.0 };
    #[expect(clippy::cast_possible_truncation, reason = "what is out of range is refused by the calendar")]
    let by = Duration::milliseconds(((by / unit).round() * unit) as i64);
    render(form, moment.checked_add(by)?)
}

/// The same day of a month that lies `count` months away, or the last one of that month.
fn moved_by_months(moment: OffsetDateTime, count: i64) -> Option<OffsetDateTime> {
    let months = i64::from(moment.year()) * 12 + i64::from(u8::from(moment.month())) - 1 + count;
    let (year, month) = (months.div_euclid(12), months.rem_euclid(12) + 1);
    let date = valid_date(i32::try_from(year).ok()?, u8::try_from(month).ok()?, moment.day());
    Some(moment.replace_date(date))
}

pub(super) fn is_valid(form: TextForm, text: &str) -> bool {
    parse(form, text).is_some_and(|moment| (0..=9999).contains(&moment.year()))
}

fn parse(form: TextForm, text: &str) -> Option<OffsetDateTime> {
    let whole = match form {
        TextForm::Date => format!("{text}T00:00:00Z"),
        TextForm::Time => format!("2020-01-01T{text}"),
        _ => text.to_owned(),
    };
    // The parser lets lower case and a space through, which stricter ones refuse.
    let strict = whole.bytes().all(|byte| byte.is_ascii_digit() || b"-:.+TZ".contains(&byte));
    strict.then(|| OffsetDateTime::parse(&whole, &Rfc3339).ok()).flatten()
}

/// None for years that RFC 3339 cannot write.
fn render(form: TextForm, moment: OffsetDateTime) -> Option<String> {
    let whole = moment.format(&Rfc3339).ok()?;
    let (date, time) = whole.split_once('T')?;
    Some(match form {
        TextForm::Date => date.to_owned(),
        TextForm::Time => time.to_owned(),
        _ => whole,
    })
}
