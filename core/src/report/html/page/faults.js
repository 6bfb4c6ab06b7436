// Faults: what was called, what came back, where it broke, and which tests show it.

const CONFIRMATIONS = {
  confirmed: ['confirmed', 'bad', 'It showed again when its calls were made again.'],
  unstable: ['not every time', 'warn', 'It did not show every time its calls were made again.'],
  untried: ['not tried again', '', 'There was no time to make its calls again.'],
};

function faultRow(finding) {
  const [confirmation, kind] = CONFIRMATIONS[finding.confirmation] || [finding.confirmation, ''];
  const ends = [chip(confirmation, kind)];
  if (finding.known === true) ends.push(chip('known'));
  if (finding.known === false) ends.push(chip('new', 'warn'));
  ends.push(chip(`${number(finding.count)}×`));
  const statement = statementOf(finding);
  const sub = [operationName(finding.operation), statement ? [' · ', h('code', {}, statement)] : ''];
  return boxRow({ head: finding.message, sub, ends, detail: () => faultDetail(finding) });
}

// Whether the statement that failed is known, and is not simply the last one: what handles an exception runs after it.
const isBlamed = (finding) => finding.statement && finding.statement !== finding.last_statement;

function faultDetail(finding) {
  const confirmation = CONFIRMATIONS[finding.confirmation];
  return [
    h('dl', { class: 'pairs' },
      h('dt', {}, 'Kind'), h('dd', {}, `${finding.title} (F${finding.code})`),
      h('dt', {}, 'Seen'), h('dd', {}, plural(finding.count, 'time', 'times'), confirmation ? `. ${confirmation[2]}` : ''),
      isBlamed(finding) ? [h('dt', {}, 'Failed at'), h('dd', {}, statementLink(finding.statement))] : null,
      finding.last_statement ? [h('dt', {}, 'Last statement'), h('dd', {}, statementLink(finding.last_statement))] : null,
      h('dt', {}, 'Operation'), h('dd', {}, link('operations', finding.operation)),
      finding.malformation ? [h('dt', {}, 'Wrong on purpose'), h('dd', {}, finding.malformation)] : null,
      finding.cause ? [h('dt', {}, 'In common'), h('dd', {}, causeText(finding), faultsLike(finding))] : null,
      h('dt', {}, 'Id'), h('dd', {}, h('code', {}, finding.id))),
    faultCalls(finding),
    faultAnswer(finding),
    faultSnippet(finding),
    (finding.exceptions || []).map(exceptionDetail),
    faultTests(finding),
  ];
}

// What findings that are perhaps of one cause have in common.
function causeText({ cause }) {
  const kinds = { request: 'the request is wrong on purpose by ', statement: 'it ends at ', answer: 'the answer is wrong by ' };
  return [kinds[cause.kind] || '', h('code', {}, cause.what), ', perhaps of one cause with '];
}

function faultsLike(finding) {
  const isLike = (it) => it !== finding && it.cause && it.cause.kind === finding.cause.kind && it.cause.what === finding.cause.what;
  const like = data.findings.filter(isLike);
  const links = like.slice(0, 5).map((it, idx) => [idx ? ', ' : '', link('faults', it.id, it.operation)]);
  return [links, like.length > 5 ? ` and ${number(like.length - 5)} more` : ''];
}

function faultCalls(finding) {
  const requests = finding.requests || [];
  const lines = requests.length ? requests.map((request) => request.curl) : [finding.curl];
  const isWhole = lines.every(Boolean);
  const whole = isWhole ? lines.join(' && ') : '';
  const step = (request) => h('li', {}, h('div', {},
    h('div', {}, operationName(request.operation), request.user ? [' ', chip(`as ${request.user}`)] : ''),
    request.curl ? code(request.curl) : h('p', { class: 'soft' },
      `Its curl line has ${number(request.curl_length)} characters; results.json holds it.`)));
  const title = requests.length > 1 ? `${requests.length} calls, the last one shows it` : 'The call';
  return [
    h('h4', {}, title),
    requests.length > 1 ? h('ol', { class: 'steps' }, requests.map(step)) : null,
    requests.length > 1 && isWhole ? [h('h4', {}, 'All of them as one shell line'), copied(whole, 'Copy the curl line')] : null,
    requests.length <= 1 && isWhole ? copied(whole, 'Copy the curl line') : null,
    requests.length === 1 && !isWhole ? h('ol', { class: 'steps' }, requests.map(step)) : null,
  ];
}

// The answer is known from a test that shows the fault.
function faultAnswer(finding) {
  const test = tests[testNumber.get((finding.tests || [])[0])];
  const calls = test ? test.calls.filter((call) => call.operation === finding.operation) : [];
  const call = calls[calls.length - 1];
  if (!call) return null;
  return [h('h4', {}, 'The answer'), h('p', {}, statusChip(call.status), call.failure ? ` ${call.failure}` : ''), call.body ? code(call.body) : null];
}

function exceptionDetail(exception) {
  const kinds = { uncaught: 'left the service’s code', caught: 'was caught', exit: 'tried to end the process', stopped: 'was stopped by restive' };
  return [
    h('h4', {}, 'Exception'),
    h('p', {}, h('code', {}, exception.type), exception.message ? `: ${exception.message}` : '', ' ', chip(kinds[exception.kind] || exception.kind)),
    exception.statement ? h('p', { class: 'soft' }, 'behind ', statementLink(exception.statement)) : null,
    (exception.trace || []).length ? code(exception.trace.map((line) => `at ${line}`).join('\n')) : null,
  ];
}

function faultSnippet(finding) {
  const statement = statementOf(finding);
  const view = statement ? sourceAround(statement, 3) : null;
  return view ? [h('h4', {}, 'Where it happened'), view] : null;
}

function faultTests(finding) {
  const shown = finding.tests || [];
  const cut = finding.cut_tests || [];
  if (!shown.length && !cut.length) return h('p', { class: 'soft' }, 'No kept test shows it.');
  const more = (finding.n_tests || shown.length) - shown.length;
  const place = (name) => {
    const test = tests[testNumber.get(name)];
    return h('li', {}, link('tests', name), test ? h('span', { class: 'soft' }, ` ${test.files.join(', ')}`) : null);
  };
  return [
    h('h4', {}, shown.length ? 'Tests that show it' : 'Tests that end before its call, for nothing can be expected of that again'),
    h('ul', { class: 'dots' }, (shown.length ? shown : cut).map(place)),
    more > 0 ? h('p', { class: 'soft' }, `and ${number(more)} more`) : null,
  ];
}

function showFaults() {
  const text = (finding) => [finding.id, finding.title, finding.operation, finding.message, finding.malformation, statementOf(finding), finding.last_statement,
    ...(finding.exceptions || []).map((it) => `${it.type} ${it.message}`)].join(' ');
  const { list, body } = boxes({ items: data.findings, row: faultRow, text, key: (it) => it.id, what: ['fault', 'faults', 'No faults were found.'], page: 25 });
  if (data.findings.length) list.open.add(0);
  const baseline = data.run.baseline;
  const gone = baseline && baseline.gone.length
    ? h('div', { class: 'note' }, `${plural(baseline.gone.length, 'fault', 'faults')} of the earlier run did not show again: `,
      h('ul', { class: 'dots' }, baseline.gone.slice(0, 20).map((it) => h('li', {}, `${it.operation || ''} ${it.message || it.id}`)))) : null;
  const cut = data.cut.findings ? h('p', { class: 'note' }, `${number(data.cut.findings)} more are in results.json.`) : null;
  part({ id: 'faults', title: 'Faults', total: data.findings.length, list, body: [body, gone, cut], opensInPrint: true });
}
