// Sources with what was reached of them.

function numbersOf(ranges) {
  const numbers = new Set();
  for (const range of (ranges || '').split(',').filter(Boolean)) {
    const [first, last] = range.split('-').map(Number);
    for (let line = first; line <= (last || first); line += 1) numbers.add(line);
  }
  return numbers;
}

const topOf = (name) => name.split('$')[0];

// The file of a class, and the state of its lines by all the classes in it.
function sourceOf(name) {
  const path = data.sources.of_class[topOf(name)];
  if (path === undefined) return null;
  const inFile = (data.coverage.per_class || []).filter((it) => data.sources.of_class[topOf(it.name)] === path);
  const union = (field) => new Set(inFile.flatMap((it) => [...numbersOf(it[field])]));
  const [reached, missed, partly] = ['reached_lines', 'missed_lines', 'partly_lines'].map(union);
  const isFailed = (statement) => data.sources.of_class[topOf(statement.slice(0, statement.lastIndexOf(':')))] === path;
  const failed = new Map();
  for (const finding of data.findings) {
    const statement = statementOf(finding);
    if (statement && isFailed(statement)) failed.set(Number(statement.slice(statement.lastIndexOf(':') + 1)), finding);
  }
  const stateOf = (line) => (partly.has(line) ? 'part' : reached.has(line) ? 'hit' : missed.has(line) ? 'miss' : '');
  return { path, lines: data.sources.files[path].split(/\r\n|\r|\n/), stateOf, failed };
}

const STATES = { hit: 'executed', part: 'executed in part', miss: 'not executed' };

// Lines `first` to `last` of a source, counted from 1.
function sourceView(source, first, last) {
  const rows = [];
  for (let line = first; line <= Math.min(last, source.lines.length); line += 1) {
    const state = source.stateOf(line);
    const title = [STATES[state], source.failed.has(line) ? `fault: ${source.failed.get(line).message}` : null].filter(Boolean).join('; ');
    rows.push(h('li', { class: `${state}${source.failed.has(line) ? ' fault' : ''}`, 'data-line': line, title: title ? visible(title) : null },
      h('span', { class: 'at' }, line), h('span', {}, source.lines[line - 1] || ' ')));
  }
  return h('div', { class: 'source', tabindex: '0', role: 'region', 'aria-label': visible(source.path) }, h('ol', {}, rows));
}

const sourceKey = () => h('p', { class: 'key' }, h('span', { class: 'hit' }, 'executed'), h('span', { class: 'part' }, 'a side of a branch never taken'), h('span', { class: 'miss' }, 'not executed'));

// A few lines around a statement; nothing where its source is not there.
function sourceAround(statement, margin) {
  const at = statement.lastIndexOf(':');
  const line = Number(statement.slice(at + 1));
  const source = sourceOf(statement.slice(0, at));
  if (!source || !line) return null;
  return [h('p', { class: 'soft' }, h('code', {}, source.path)), sourceView(source, Math.max(1, line - margin), line + margin)];
}
