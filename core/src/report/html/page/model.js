// The data of the page, and what is looked up in it.

const data = JSON.parse(document.getElementById('data').textContent);
const names = data.tests.names;

// A test as its fields: the list holds positions of names.
const tests = data.tests.list.map(([name, files, targets, nTargets, findings, calls]) => ({
  name,
  files: files.map((idx) => names[idx]),
  targets: targets.map((idx) => names[idx]),
  nTargets,
  findings,
  calls: calls.map(([operation, status, url = '', body = '', requestBody = '', failure = '']) => (
    { operation: names[operation], status, url, body, requestBody, failure })),
}));

const testNumber = new Map(tests.map((test, idx) => [test.name, idx]));
const operationNumber = new Map(data.operations.map((operation, idx) => [operation.id, idx]));

function grouped(items, keysOf) {
  const groups = new Map();
  for (const item of items) {
    for (const key of new Set(keysOf(item))) {
      if (!groups.has(key)) groups.set(key, []);
      groups.get(key).push(item);
    }
  }
  return groups;
}

const findingsOf = grouped(data.findings, (finding) => [finding.operation]);
const testsOf = grouped(tests, (test) => test.calls.map((call) => call.operation));
const shortfall = data.shortfall || null;
const openOperations = new Map((shortfall ? shortfall.operations : []).map((it) => [it.id, it.reasons]));
const statusesOf = (operation) => Object.entries(operation.statuses || {}).map(([status, n]) => [Number(status), n]);
const callsOf = (operation) => statusesOf(operation).reduce((sum, [, n]) => sum + n, 0);
const hasSuccess = (operation) => statusesOf(operation).some(([status]) => status >= 200 && status < 300);

// Why an operation did not succeed, as sentences; the record of the run knows more than its results.
function reasonsOf(operation) {
  if (openOperations.has(operation.id)) return openOperations.get(operation.id);
  if (operation.skipped) return [`not called: ${operation.skipped.reason}`];
  const restrained = [operation.given_up, operation.held_back].filter(Boolean).map((it) => it.reason);
  const statuses = statusesOf(operation).sort((one, other) => other[1] - one[1]);
  if (statuses.length === 0) return [...restrained, 'never called'];
  if (hasSuccess(operation)) return restrained;
  const [status] = statuses[0];
  const only = statuses.length === 1 ? 'always' : 'mostly';
  return [...restrained, `no call succeeded: ${only} ${statusName(status)}`];
}

// The statement to look at; results of an older restive have the last one only.
const statementOf = (finding) => finding.statement || finding.last_statement;

// A link that leads to an item of a section.
const link = (section, key, ...children) => h('a', { href: `#/${section}/${encodeURIComponent(key)}` }, children.length ? children : key);

// `org.acme.Shop:17` of `org.acme.Shop$Cart:17`, as a link where the class is known.
function statementLink(statement) {
  const at = statement.lastIndexOf(':');
  const name = at < 0 ? statement : statement.slice(0, at);
  const isKnown = (data.coverage.per_class || []).some((it) => it.name === name);
  return isKnown ? link('coverage', statement, statement) : h('code', {}, statement);
}
