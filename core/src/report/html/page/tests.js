// Kept tests, call by call.

function testRow(test) {
  const calls = test.calls.map((call) => call.operation);
  const ends = test.calls.slice(0, 6).map((call) => statusChip(call.status));
  if (test.calls.length > 6) ends.push(chip(`+${test.calls.length - 6}`));
  const sub = [...new Set(calls)].slice(0, 4).join(', ') + (new Set(calls).size > 4 ? ', …' : '');
  return boxRow({ head: test.name, sub, ends, detail: () => testDetail(test) });
}

function testDetail(test) {
  const call = (it) => h('li', {}, h('div', {},
    h('div', {}, link('operations', it.operation, ...operationName(it.operation)), ' ', statusChip(it.status), it.failure ? ` ${it.failure}` : ''),
    h('p', {}, h('code', {}, it.url)),
    it.requestBody ? code(it.requestBody) : null,
    it.body ? code(it.body) : null));
  const more = test.nTargets - test.targets.length;
  const faults = data.findings.filter((finding) => test.findings.includes(finding.id));
  return [
    faults.length ? [h('h4', {}, 'Faults that it shows'), h('ul', { class: 'dots' }, faults.map((it) => h('li', {}, link('faults', it.id, it.message))))] : null,
    h('h4', {}, test.calls.length === 1 ? 'Its call' : 'Its calls'), h('ol', { class: 'steps' }, test.calls.map(call)),
    test.targets.length ? [h('h4', {}, 'Kept for'), h('ul', { class: 'dots' }, test.targets.map((name) => h('li', {}, h('code', {}, name))), more > 0 ? h('li', {}, `and ${number(more)} more`) : null)] : null,
    test.files.length ? [h('h4', {}, 'Files'), h('ul', { class: 'dots' }, test.files.map((path) => h('li', {}, h('code', {}, path))))] : null,
  ];
}

function showTests() {
  const text = (test) => `${test.name} ${test.calls.map((call) => `${call.operation} ${statusName(call.status)} ${call.url}`).join(' ')} ${test.findings.join(' ')}`;
  const { list, body } = boxes({ items: tests, row: testRow, text, key: (it) => it.name, what: ['test', 'tests', 'No tests were kept.'], page: 20 });
  const cut = data.cut.bodies < 1000 && tests.length ? ` Bodies are cut to ${plural(data.cut.bodies, 'character', 'characters')} here, for there are many.` : '';
  part({ id: 'tests', title: 'Tests', total: tests.length, list, lead: `What the suites do, call by call.${cut}`, body });
}
