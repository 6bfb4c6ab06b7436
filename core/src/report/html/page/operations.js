// The matrix of operations and statuses.

const ORDERS = {
  schema: ['As in the schema', () => 0],
  faults: ['Faults first', (one, other) => faultCount(other) - faultCount(one)],
  refused: ['Without success first', (one, other) => Number(hasSuccess(one)) - Number(hasSuccess(other))],
  calls: ['Most calls first', (one, other) => callsOf(other) - callsOf(one)],
};
const faultCount = (operation) => (findingsOf.get(operation.id) || []).length;

function operationRow(operation, statuses) {
  rowCount += 1;
  const id = `row-${rowCount}`;
  const toggle = h('button', { type: 'button', class: 'toggle', 'aria-controls': id }, h('span', { class: 'grow' }, operationName(operation.id)));
  const faults = faultCount(operation);
  const total = callsOf(operation);
  const cell = (status) => {
    const n = (operation.statuses || {})[status];
    const weight = n > total / 2 ? 'many' : '';
    return h('td', { class: 'cell' }, n ? h('span', { class: `s${Math.floor(status / 100)} ${weight}` }, number(n)) : '');
  };
  const state = operation.skipped ? chip(operation.skipped.by_filter ? 'left out' : 'skipped', 'warn')
    : total === 0 ? chip('never called', 'warn') : !hasSuccess(operation) ? chip('no success', 'warn') : '';
  const line = h('tr', {}, h('th', { scope: 'row' }, toggle),
    h('td', {}, state, ' ', operation.discovered !== undefined ? chip('not in the schema') : '', ' ', faults ? chip(plural(faults, 'fault', 'faults'), 'bad') : ''),
    h('td', { class: 'num' }, number(total)), statuses.map(cell));
  const place = (nodes) => {
    const detail = h('tr', { id }, h('td', { class: 'wide', colspan: statuses.length + 3 }, nodes));
    line.after(detail);
    return detail;
  };
  return { nodes: [line], toggle, detail: () => operationDetail(operation), place };
}

function operationDetail(operation) {
  const reasons = reasonsOf(operation);
  const faults = findingsOf.get(operation.id) || [];
  const calling = testsOf.get(operation.id) || [];
  const near = (shortfall ? shortfall.targets : []).filter((target) => target.operation === operation.id).slice(0, 6);
  return [
    reasons.length ? [h('h4', {}, 'Why it went no further'), h('ul', { class: 'dots' }, reasons.map((reason) => h('li', {}, reason)))] : null,
    operation.skipped && operation.skipped.pointer ? h('p', { class: 'soft' }, 'at ', h('code', {}, operation.skipped.pointer)) : null,
    operation.discovered ? h('p', {}, 'Served by ', h('code', {}, operation.discovered), '; the schema does not name it.') : null,
    (operation.demanded || []).length ? [h('h4', {}, 'Demanded, though the document says it may be left out'),
      h('ul', { class: 'dots' }, operation.demanded.map((it) => h('li', {}, h('code', {}, it))))] : null,
    faults.length ? [h('h4', {}, 'Faults'), h('ul', { class: 'dots' }, faults.map((it) => h('li', {}, link('faults', it.id, it.message))))] : null,
    near.length ? [h('h4', {}, 'Nearest that it did not reach'), h('ul', { class: 'dots' }, near.map((it) => h('li', {}, link('open', it.name, it.name))))] : null,
    calling.length ? [h('h4', {}, `Tests that call it (${number(calling.length)})`),
      h('div', { class: 'links' }, calling.slice(0, 12).map((test) => link('tests', test.name)), calling.length > 12 ? h('span', { class: 'soft' }, `and ${number(calling.length - 12)} more`) : null)] : null,
  ];
}

function showOperations(words) {
  const all = new Set(data.operations.flatMap((operation) => Object.keys(operation.statuses || {})).map(Number));
  const statuses = [...all].sort((one, other) => (one || 999) - (other || 999));
  const holder = h('tbody', {});
  const footer = h('div', { class: 'more' });
  const text = (operation) => `${operation.id} ${Object.keys(operation.statuses || {}).map(statusName).join(' ')} ${reasonsOf(operation).join(' ')}`;
  const list = new List({
    holder, footer, text, items: data.operations, key: (it) => it.id, row: (it) => operationRow(it, statuses),
    what: ['operation', 'operations', 'There are no operations.'],
  });
  const buttons = Object.entries(ORDERS).map(([name, [label, compare]]) => h('button', { type: 'button', class: 'button', 'aria-pressed': String(name === 'schema'), on: {
    click: (event) => {
      for (const button of buttons) button.setAttribute('aria-pressed', String(button === event.currentTarget));
      list.sort(compare, words());
    },
  } }, label));
  const head = h('tr', {}, h('th', { scope: 'col' }, 'Operation'), h('th', { scope: 'col' }, 'State'), h('th', { scope: 'col', class: 'num' }, 'Calls'),
    statuses.map((status) => h('th', { scope: 'col', class: 'status' }, statusName(status))));
  const table = h('div', { class: 'table', tabindex: '0', role: 'region', 'aria-labelledby': 'title-operations' },
    h('table', { class: 'matrix' }, h('caption', { class: 'hidden' }, 'Number of answers by operation and status'), h('thead', {}, head), holder), footer);
  part({
    id: 'operations', title: 'Operations', total: data.operations.length, list,
    lead: 'How often each operation was answered with each status.',
    body: [h('div', { class: 'choices', role: 'group', 'aria-label': 'Order' }, buttons), table],
  });
}
