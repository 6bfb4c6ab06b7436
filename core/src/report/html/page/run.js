// Hints and inputs beyond the schema; how the run was made, and how to make it again.

function hintRow(hint) {
  const use = hint.unused ? chip('not used', 'warn') : hint.taken ? chip(`taken ${number(hint.taken)}×`, 'good') : chip('not taken');
  return boxRow({
    head: [h('code', {}, hint.operand ? `${hint.usage} "${hint.operand}"` : hint.usage)], sub: [operationName(hint.operation), hint.place ? ` · ${hint.place}` : ' · no input of the call'],
    ends: [chip(`seen ${number(hint.arrived)}×`), use],
    detail: () => h('dl', { class: 'pairs' },
      h('dt', {}, 'Operation'), h('dd', {}, link('operations', hint.operation)),
      h('dt', {}, 'Input'), h('dd', {}, hint.place || 'no input of the call had that value'),
      h('dt', {}, 'The service'), h('dd', {}, `did "${hint.usage}" with it${hint.operand ? `, beside "${hint.operand}"` : ''}`),
      hint.unused ? [h('dt', {}, 'Not used'), h('dd', {}, hint.unused)] : null),
  });
}

function showHints() {
  const { hints, expansions } = data.run;
  const seen = shortfall ? shortfall.hints : [];
  const inputs = (expansions && expansions.inputs) || [];
  const arrived = Object.values((hints && hints.arrived) || {}).reduce((sum, n) => sum + n, 0);
  if (!arrived && !inputs.length && !seen.length) return;
  const kinds = Object.entries((hints && hints.arrived) || {}).sort((one, other) => other[1] - one[1]);
  const { list, body } = boxes({ items: seen, row: hintRow, text: (it) => `${it.operation} ${it.place} ${it.usage} ${it.operand}`, key: (it) => `${it.operation}|${it.place}|${it.usage}|${it.operand}`, what: ['hint', 'hints', 'explain.json tells each hint; it was not there.'], page: 12 });
  const total = inputs.length ? h('div', { class: 'table' }, h('table', {}, h('caption', {}, `${plural(inputs.length, 'input', 'inputs')} that the service reads and the schema does not name`),
    h('thead', {}, h('tr', {}, ['Operation', 'Where', 'Name'].map((name) => h('th', { scope: 'col' }, name)))),
    h('tbody', {}, inputs.map((it) => h('tr', {}, h('th', { scope: 'row' }, link('operations', it.operation, ...operationName(it.operation))), h('td', {}, it.place), h('td', {}, h('code', {}, it.name))))))) : null;
  part({
    id: 'hints', title: 'Hints', total: seen.length, list,
    lead: `What the service was seen to do with values of calls: ${kinds.map(([usage, n]) => `${number(n)} ${usage}`).join(', ') || 'nothing'}. ${plural((hints && hints.inputs) || 0, 'input', 'inputs')} took a value from that.`,
    body: [body, total ? h('h3', {}, 'Inputs beyond the schema') : null, total],
  });
}

function showRun() {
  const { run, configuration } = data;
  const settings = Object.entries(configuration || {});
  const isChosen = ([, it]) => it.origin !== 'default';
  const row = ([key, it]) => h('tr', {}, h('th', { scope: 'row' }, h('code', {}, key)), h('td', {}, h('code', {}, it.value)), h('td', { class: 'soft' }, it.origin));
  const table = (rows) => h('div', { class: 'table' }, h('table', {}, h('thead', {}, h('tr', {}, ['Setting', 'Value', 'From'].map((name) => h('th', { scope: 'col' }, name)))), h('tbody', {}, rows.map(row))));
  const ended = { budget: 'its budget was spent', interrupted: 'it was stopped', sut_lost: 'the service could not be brought back' }[run.ended_by] || run.ended_by;
  const closed = Object.values(run.connections_closed || {}).reduce((sum, n) => sum + n, 0);
  const pair = (name, ...value) => [h('dt', {}, name), h('dd', {}, value)];
  const causes = run.unstable_causes || [];
  part({
    id: 'run', title: 'Run',
    body: [
      h('h3', {}, 'To make this run again'), copied(data.command.line, 'Copy the command'), data.command.notes.map((note) => h('p', { class: 'soft' }, note)),
      h('h3', {}, 'What was spent'),
      h('dl', { class: 'pairs' }, pair('Seed', h('code', {}, run.rng_seed)), pair('Budget', run.budget), pair('Calls', `${number(run.calls)} in ${duration(run.seconds)}, ${number(Math.round(run.calls_per_second))} a second`),
        pair('Ended because', ended), pair('Restarts of the service', number(run.sut_restarts)), pair('Connections', `${number(run.connections_opened)} opened${closed ? `, ${number(closed)} closed by the service` : ''}`),
        pair('Base URL', h('code', {}, run.base_url)), pair('Users', number(run.users)), pair('Tests left out', `${number(run.unstable_tests)} whose answers differ each time, ${number(run.untried_tests)} not tried again, ${number(run.unproven_tests || 0)} not seen to hold on a service started anew, ${number(run.deadly_tests)} that end the service`),
        run.schema_repairs ? pair('Schema', `${plural(run.schema_repairs, 'place was', 'places were')} mended`) : null),
      causes.length ? h('details', {}, h('summary', {}, 'Why tests were left out'), h('ul', { class: 'dots' }, causes.map((it) => h('li', {}, `${plural(it.tests, 'test', 'tests')}: `, link('operations', it.operation),
        it.status === it.other_status ? ` ${statusName(it.status)}, but not what the test is there for` : ` ${statusName(it.status)} at one time, ${statusName(it.other_status)} at another`)))) : null,
      settings.some(isChosen) ? [h('h3', {}, 'Settings that were chosen'), table(settings.filter(isChosen))] : null,
      h('details', {}, h('summary', {}, `All ${number(settings.length)} settings`), table(settings)),
    ],
  });
}
