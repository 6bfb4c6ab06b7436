// What changed since a revision: operations that work with it, and how much of it was executed.

const MOST_NAMED = 60;

function changedRow(file) {
  const lines = (title, ranges) => (ranges ? [h('dt', {}, title), h('dd', {}, h('code', {}, ranges.replaceAll(',', ', ')))] : null);
  const isLoaded = file.classes.length > 0;
  const missed = file.missed_lines ? chip(`not executed: ${file.missed_lines}`, 'warn') : null;
  return boxRow({
    head: h('code', {}, file.path),
    sub: isLoaded ? `${plural(file.classes.length, 'class', 'classes')} of the service` : 'no class that was loaded comes from it',
    ends: [missed || (file.reached_lines ? chip('all executed', 'good') : null)],
    detail: () => h('dl', { class: 'pairs' },
      lines('Changed, executed', file.reached_lines), lines('Changed, not executed', file.missed_lines),
      isLoaded ? [h('dt', {}, 'Classes'), h('dd', {}, file.classes.slice(0, MOST_NAMED).map((name, idx) => [idx ? ', ' : '', link('coverage', name)]))] : null),
  });
}

function showChanges() {
  const { changes } = data;
  if (!changes) return;
  const { list, body } = boxes({ items: changes.files, row: changedRow, text: (it) => it.path, key: (it) => it.path, what: ['file', 'files', 'No source file changed.'], page: 20 });
  const named = changes.operations.slice(0, MOST_NAMED);
  const more = changes.operations.length - named.length;
  const operations = named.length
    ? h('p', {}, `${plural(changes.operations.length, 'operation works', 'operations work')} with it (${plural(changes.calls, 'call', 'calls')}): `, named.map((id, idx) => [idx ? ', ' : '', link('operations', id)]), more ? ` and ${number(more)} more` : '')
    : h('p', { class: 'note' }, 'No operation was seen to work with it.');
  const { lines } = changes;
  const executed = lines.total ? `${number(lines.covered)} of ${plural(lines.total, 'changed line', 'changed lines')} that can be executed ${lines.total === 1 ? 'was' : 'were'}` : 'no changed line that can be executed was loaded';
  const described = (changes.described || []).length;
  const found = [described ? `what the schema says of ${plural(described, 'operation', 'operations')}` : '', changes.files.length || !described ? executed : ''];
  const others = changes.other_files ? `; ${plural(changes.other_files, 'other file', 'other files')}` : '';
  const cut = data.cut.changed ? h('p', { class: 'soft' }, `and ${plural(data.cut.changed, 'more file', 'more files')}, see results.json`) : null;
  part({ id: 'changes', title: 'Changes', total: changes.files.length, list, lead: `Since ${changes.since}: ${found.filter(Boolean).join('; ')}${others}.`, body: [operations, body, cut] });
}
