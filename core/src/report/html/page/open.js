// What was not reached, and why.

const KINDS = {
  line: 'line', branch: 'branch', switch: 'case', replace: 'library call', returns: 'return', throws: 'exception', class: 'outcome', status: 'status',
};

// A place in the code as people say it: `Shop:17, branch, else side`.
function placeOf(name) {
  const [kind, place, line, ...rest] = name.split(':');
  if (!['line', 'branch', 'switch', 'replace', 'returns', 'throws'].includes(kind)) return [name];
  const simple = place.slice(place.lastIndexOf('.') + 1);
  return [h('strong', {}, `${simple}:${line}`), ` ${KINDS[kind]}`, rest.length > 1 ? ` ${rest.slice(1).join(':')}` : ''];
}

function openRow(target) {
  const distance = target.distance === null ? null : target.distance;
  const shown = distance === null ? '' : `distance ${distance >= 1e6 || (distance > 0 && distance < 1e-3) ? distance.toExponential(1) : +distance.toFixed(3)}`;
  return boxRow({
    head: placeOf(target.name), sub: target.reasons[0], ends: [shown ? chip(shown) : null, h('span', { class: 'near' }, meter(target.closeness, `closeness ${target.closeness.toFixed(3)}`))],
    detail: () => [
      h('dl', { class: 'pairs' },
        h('dt', {}, 'Target'), h('dd', {}, h('code', {}, target.name)),
        h('dt', {}, 'Closeness'), h('dd', {}, `${target.closeness.toFixed(4)} of 1, reached after ${plural(target.since, 'call', 'calls')}`),
        target.operation ? [h('dt', {}, 'Closest call'), h('dd', {}, link('operations', target.operation))] : null),
      h('h4', {}, 'Why not closer'), h('ul', { class: 'dots' }, target.reasons.map((reason) => h('li', {}, reason))),
      targetSource(target.name),
      h('p', { class: 'soft' }, 'More: ', h('code', {}, `restive explain OUT '${target.name.replaceAll("'", "'\\''")}'`)),
    ],
  });
}

function targetSource(name) {
  const [, place, line] = name.split(':');
  return /^\d+$/.test(line || '') ? sourceAround(`${place}:${line}`, 3) : null;
}

function refusedRow(operation) {
  const reasons = reasonsOf(operation);
  const state = operation.skipped ? (operation.skipped.by_filter ? 'left out' : 'skipped') : callsOf(operation) === 0 ? 'never called' : 'no success';
  return boxRow({ head: operationName(operation.id), sub: reasons[0], ends: [chip(state, 'warn'), ...statusesOf(operation).slice(0, 4).map(([status]) => statusChip(status))], detail: () => operationDetail(operation) });
}

// A class with lines that were never executed.
function missedRow(item) {
  const lines = item.missed_lines.replaceAll(',', ', ');
  const entered = item.lines.covered > 0 ? 'some of it was executed' : 'nothing of it was executed';
  return boxRow({ head: item.name, sub: `${/[-,]/.test(item.missed_lines) ? 'lines' : 'line'} ${lines}`, ends: [chip(`${number(item.lines.total - item.lines.covered)} of ${number(item.lines.total)}`)],
    detail: () => [h('p', {}, `In ${item.name}, ${entered}. `, link('coverage', item.name, 'All of it')), missedSource(item)] });
}

// Its first lines that were not executed, with what stands around them.
function missedSource(item) {
  const first = Number(item.missed_lines.split(/[-,]/)[0]);
  return sourceAround(`${item.name}:${first}`, 6);
}

function showOpen() {
  const refused = data.operations.filter((operation) => reasonsOf(operation).length > 0);
  const targets = shortfall ? shortfall.targets : [];
  const operations = boxes({ items: refused, row: refusedRow, text: (it) => `${it.id} ${reasonsOf(it).join(' ')}`, key: (it) => it.id, what: ['operation', 'operations', 'Every operation succeeded.'], page: 20 });
  const near = boxes({ items: targets, row: openRow, text: (it) => `${it.name} ${it.operation || ''} ${it.reasons.join(' ')}`, key: (it) => it.name, what: ['target', 'targets', 'Nothing that the run came near to was missed.'], page: 30 });
  const missed = (data.coverage.per_class || []).filter((it) => it.missed_lines);
  const lines = boxes({ items: missed, row: missedRow, text: (it) => it.name, key: (it) => it.name, what: ['class', 'classes', 'Every line of the classes that are measured was executed.'], page: 20 });
  const unsupported = Object.entries(data.run.unsupported_keywords || {});
  const unchecked = Object.entries(data.run.unchecked || {});
  const extra = [
    shortfall && shortfall.more_targets ? h('p', { class: 'note' }, `${number(shortfall.more_targets)} more were farther away; restive explain tells about each.`) : null,
    shortfall ? null : h('p', { class: 'note' }, 'explain.json was not beside the results, so what came near is not known here.'),
    shortfall && !shortfall.is_guided ? h('p', { class: 'note' }, 'What happens inside the service did not guide the run, so no distances are known.') : null,
    unsupported.length ? [h('h3', {}, 'Parts of the schema that are not used'), h('ul', { class: 'dots' }, unsupported.map(([keyword, n]) => h('li', {}, h('code', {}, keyword), ` in ${plural(n, 'place', 'places')}`)))] : null,
    unchecked.length ? [h('h3', {}, 'Answers that were not compared with the schema'), h('ul', { class: 'dots' }, unchecked.map(([why, n]) => h('li', {}, `${why}: ${plural(n, 'time', 'times')}`)))] : null,
  ];
  part({
    id: 'open', title: 'Not reached', total: refused.length + targets.length + missed.length, list: [operations.list, near.list, lines.list],
    lead: 'Operations without success, targets that the search came near to, the nearest first, and lines that were never executed.',
    body: [h('h3', {}, 'Operations'), operations.body, h('h3', {}, 'Targets'), near.body, data.coverage.driver ? [h('h3', {}, 'Lines'), lines.body] : null, extra],
  });
}
