//! A small record for the tests of this folder.

use super::record::{
    CallRecord, EffectRecord, ElsewhereRecord, FORMAT_VERSION, HintRecord, InputRecord, Kind, LeftOut, OperationRecord,
    OriginRecord, Record, SpecialisedRecord, TargetRecord, TestRecord,
};

/// A shop: two operations that were called, one that was refused, one never called, one skipped.
pub(super) fn sample() -> Record {
    Record {
        format_version: FORMAT_VERSION,
        restive_version: "0.1.0".to_owned(),
        calls: 2_000,
        is_guided: true,
        left_out: LeftOut::default(),
        operations: vec![
            operation("GET /shop", &[(200, 900), (400, 300)]),
            operation("POST /shop", &[(401, 500), (400, 12)]),
            operation("GET /till", &[]),
            OperationRecord {
                id: "PUT /shop".to_owned(),
                skipped: Some("the parameter `id` has no schema (at /paths/~1shop/put)".to_owned()),
                ..OperationRecord::default()
            },
        ],
        inputs: vec![
            InputRecord {
                operation: 0,
                place: "query colour".to_owned(),
                tried: 40,
                hints: vec![
                    hint("equals", "blue", 3, 12, None),
                    hint("matches", "^(?:(a)\\1{9,)$", 1, 0, Some("the pattern cannot be translated")),
                ],
            },
            InputRecord { operation: 0, place: "query limit".to_owned(), tried: 31, hints: Vec::new() },
            InputRecord {
                operation: 1,
                place: "body /items/*/day".to_owned(),
                tried: 3,
                hints: vec![hint("date", "", 1, 0, None)],
            },
        ],
        targets: targets(),
        tests: vec![
            TestRecord {
                name: "get_shop_returns_200".to_owned(),
                calls: vec![0, 0],
                specialised: vec![SpecialisedRecord { call: 1, input: 0, hint: 0, value: "blue".to_owned() }],
            },
            TestRecord { name: "post_shop_returns_401".to_owned(), calls: vec![1], specialised: Vec::new() },
        ],
        unmeasured: [("com.acme.Odd".to_owned(), "it has no room for probes".to_owned())].into(),
    }
}

fn operation(id: &str, statuses: &[(u16, u64)]) -> OperationRecord {
    OperationRecord { id: id.to_owned(), statuses: statuses.iter().copied().collect(), ..OperationRecord::default() }
}

fn hint(usage: &str, operand: &str, arrived: u64, taken: u32, unused: Option<&str>) -> HintRecord {
    HintRecord { usage: usage.to_owned(), operand: operand.to_owned(), arrived, taken, unused: unused.map(str::to_owned) }
}

fn target(name: &str, kind: Kind, closeness: f64) -> TargetRecord {
    TargetRecord {
        name: name.to_owned(),
        kind,
        closeness,
        elsewhere: None,
        since: if closeness > 0.0 { 340 } else { 0 },
        origin: (closeness > 0.0).then_some(OriginRecord::Mutated),
        call: (closeness > 0.0).then_some(CallRecord { operation: 0, index: 1, of: 2 }),
        tries: 0,
        gains: 0,
        inputs: Vec::new(),
        tests: if closeness >= 1.0 { vec![0] } else { Vec::new() },
    }
}

fn targets() -> Vec<TargetRecord> {
    let moved = |input, moved, value: Option<&str>| EffectRecord { input, moved, value: value.map(str::to_owned) };
    vec![
        target("line:com.acme.Shop:12", Kind::Code, 1.0),
        target("line:com.acme.Shop:17", Kind::Code, 1.0),
        TargetRecord {
            tries: 44,
            gains: 5,
            inputs: vec![moved(1, 12, Some("17")), moved(0, 3, None)],
            ..target("branch:com.acme.Shop:17:0:then", Kind::Code, 0.25)
        },
        TargetRecord {
            origin: Some(OriginRecord::Hinted),
            inputs: vec![moved(0, 2, Some("blue"))],
            ..target("branch:com.acme.Shop:17:0:else", Kind::Code, 1.0)
        },
        target("line:com.acme.Shop:18", Kind::Code, 0.0),
        target("branch:com.acme.Shop:18:0:then", Kind::Code, 0.0),
        TargetRecord { tries: 9, ..target("branch:com.acme.Shop:12:1:then", Kind::Code, 0.5) },
        target("line:com.acme.Till:4", Kind::Code, 0.0),
        target("returns:com.acme.Shop:12:0:List.size", Kind::Code, 1.0),
        target("line:com.acme.Desk:4", Kind::Code, 0.0),
        TargetRecord { elsewhere: Some(ElsewhereRecord::Start), ..target("line:com.acme.Till:2", Kind::Code, 0.0) },
        target("class:GET /shop:2xx", Kind::Goal, 1.0),
        TargetRecord {
            call: Some(CallRecord { operation: 1, index: 0, of: 1 }),
            ..target("class:POST /shop:2xx", Kind::Goal, 0.5)
        },
        target("shape:GET /shop:query.limit:negative", Kind::Shape, 0.5),
    ]
}
