use std::borrow::Cow;
use std::fs;
use std::path::Path;
use std::time::Duration;

use super::{Call, Entry, Event, Executed, JOURNAL_FOLDER, Journal};
use crate::action::{Answer, Outcome};

/// An entry that is told from others by its number.
fn entry(number: u64) -> Entry<'static> {
    let answer = Answer { status: 200, body: format!("answer {number}").into_bytes(), ..Answer::default() };
    let call = Call {
        outcome: Cow::Owned(Outcome::Answered(answer)),
        is_json: false,
        elapsed: Duration::from_millis(number),
        sut_death: Cow::Owned(None),
        exchanges: Vec::new(),
        has_feedback: false,
    };
    let executed = Executed { n_actions: 1, fingerprint: number, calls: vec![call], elapsed: Duration::ZERO };
    Entry {
        exchanges: Vec::new(),
        event: Event::Execution(executed),
        clock: Duration::from_secs(number),
        renewal_time: None,
        restarts: 0,
    }
}

fn number_of(entry: &Entry<'_>) -> u64 {
    let Event::Execution(executed) = &entry.event else { panic!("{entry:?}") };
    let outcome = executed.calls[0].outcome.as_ref();
    let Outcome::Answered(answer) = outcome else { panic!("{outcome:?}") };
    assert_eq!(answer.body, format!("answer {}", executed.fingerprint).into_bytes());
    executed.fingerprint
}

fn read(out: &Path) -> Vec<u64> {
    Journal::reopen(out, u64::MAX).expect("a journal").map(|entry| number_of(&entry)).collect()
}

fn write(mut journal: Journal, numbers: impl Iterator<Item = u64>) {
    numbers.for_each(|number| journal.note(&entry(number)));
}

#[test]
fn each_life_of_a_run_goes_on_where_the_last_one_ended() {
    let out = tempfile::tempdir().expect("a folder");
    assert!(read(out.path()).is_empty(), "no life yet");
    write(Journal::new(out.path(), u64::MAX), 0..3);
    for life in 1..4 {
        let mut journal = Journal::reopen(out.path(), u64::MAX).expect("a journal");
        assert_eq!(journal.by_ref().count(), life * 3);
        assert!(!journal.is_past() && journal.is_open());
        write(journal, (life * 3) as u64..(life * 3 + 3) as u64);
    }
    assert_eq!(read(out.path()), (0..12).collect::<Vec<_>>());
}

#[test]
fn what_a_killed_process_has_left_counts_up_to_its_last_whole_entry() {
    let out = tempfile::tempdir().expect("a folder");
    write(Journal::new(out.path(), u64::MAX), 0..50);
    let path = out.path().join(JOURNAL_FOLDER).join("0001.gz");
    let whole = fs::read(&path).expect("a segment");
    let mut longest = 0;
    for length in 0..=whole.len() {
        fs::write(&path, &whole[..length]).expect("written");
        let found = read(out.path());
        assert_eq!(found, (0..found.len() as u64).collect::<Vec<_>>(), "{length} bytes");
        assert!(found.len() >= longest);
        longest = found.len();
    }
    assert_eq!(longest, 50);
    // The next life follows what is left of a segment, wherever that is cut.
    fs::write(&path, &whole[..whole.len() / 2]).expect("written");
    let kept = read(out.path());
    let mut journal = Journal::reopen(out.path(), u64::MAX).expect("a journal");
    assert!(journal.by_ref().count() > 0);
    write(journal, 100..103);
    assert_eq!(read(out.path()), [kept, vec![100, 101, 102]].concat());
}

#[test]
fn entries_are_on_the_disk_though_no_others_follow() {
    let out = tempfile::tempdir().expect("a folder");
    let mut journal = Journal::new(out.path(), u64::MAX);
    (0..3).for_each(|number| journal.note(&entry(number)));
    let begin = std::time::Instant::now();
    while read(out.path()).len() < 3 {
        assert!(begin.elapsed() < Duration::from_mins(1), "they are kept back");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(journal.is_open());
}

#[test]
fn what_a_run_does_otherwise_takes_the_place_of_what_it_did() {
    let out = tempfile::tempdir().expect("a folder");
    write(Journal::new(out.path(), u64::MAX), 0..10);
    let mut journal = Journal::reopen(out.path(), u64::MAX).expect("a journal");
    (0..5).for_each(|_| assert!(journal.next().is_some()));
    journal.give_up_past();
    assert!(journal.next().is_none());
    write(journal, 100..102);
    assert_eq!(read(out.path()), [0, 1, 2, 3, 100, 101]);
    // Once more, within what was written last, and before it.
    for (kept, all) in [(5, vec![0, 1, 2, 3, 100, 200]), (2, vec![0, 1, 200])] {
        let mut journal = Journal::reopen(out.path(), u64::MAX).expect("a journal");
        (0..=kept).for_each(|_| assert!(journal.next().is_some()));
        journal.give_up_past();
        write(journal, 200..201);
        assert_eq!(read(out.path()), all);
    }
}

#[test]
fn damage_in_the_middle_ends_what_is_believed() {
    let out = tempfile::tempdir().expect("a folder");
    write(Journal::new(out.path(), u64::MAX), 0..200);
    let path = out.path().join(JOURNAL_FOLDER).join("0001.gz");
    let whole = fs::read(&path).expect("a segment");
    for at in (20..whole.len()).step_by(7) {
        let mut damaged = whole.clone();
        damaged[at] ^= 0x55;
        fs::write(&path, &damaged).expect("written");
        let mut journal = Journal::reopen(out.path(), u64::MAX).expect("a journal");
        assert!(journal.by_ref().count() <= 200, "it ends");
    }
}

#[test]
fn a_journal_that_cannot_be_written_says_why_and_keeps_nothing_from_going_on() {
    let out = tempfile::tempdir().expect("a folder");
    fs::write(out.path().join(JOURNAL_FOLDER), "a file is in the way").expect("written");
    let mut journal = Journal::new(out.path(), u64::MAX);
    journal.note(&entry(1));
    assert!(!journal.is_open() && journal.trouble().is_some());
    journal.note(&entry(2));
    let mut journal = Journal::new(out.path(), 0);
    journal.note(&entry(1));
    assert_eq!((journal.is_open(), journal.trouble()), (false, None), "none is wanted");
}

#[test]
fn a_journal_ends_at_its_limit() {
    let out = tempfile::tempdir().expect("a folder");
    let mut journal = Journal::new(out.path(), 2_000);
    let mut n_written = 0;
    while journal.is_open() {
        journal.note(&entry(n_written));
        n_written += 1;
        std::thread::sleep(Duration::from_millis(1));
    }
    assert!(journal.trouble().is_some_and(|why| why.contains("limit")), "{:?}", journal.trouble());
    drop(journal);
    assert_eq!(read(out.path()).len() as u64, n_written);
    let mut journal = Journal::reopen(out.path(), 2_000).expect("a journal");
    assert!(journal.by_ref().count() > 0);
    journal.note(&entry(n_written));
    assert_eq!(read(out.path()).len() as u64, n_written + 1, "it was full before: no more than one is lost");
}
