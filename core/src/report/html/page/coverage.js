// Coverage by package, class and line.

function packagesOf(classes) {
  const packages = new Map();
  for (const it of classes) {
    const dot = it.name.lastIndexOf('.');
    const name = dot < 0 ? '(no package)' : it.name.slice(0, dot);
    if (!packages.has(name)) packages.set(name, []);
    packages.get(name).push(it);
  }
  return [...packages].sort(([one], [other]) => (one < other ? -1 : 1));
}

const sumOf = (classes, field) => classes.reduce((sum, it) => ({ covered: sum.covered + it[field].covered, total: sum.total + it[field].total }), { covered: 0, total: 0 });

function cover(covered, what) {
  if (!covered.total) return null;
  const label = `${covered.covered} of ${plural(covered.total, what[0], what[1])}`;
  return h('span', { class: 'cover', title: label }, meter(covered.covered / covered.total, label),
    h('span', { class: 'share' }, percent(covered.covered, covered.total)));
}

const measures = (it) => `${number(it.lines.covered)} of ${plural(it.lines.total, 'line', 'lines')}${it.branches.total ? `, ${number(it.branches.covered)} of ${plural(it.branches.total, 'branch side', 'branch sides')}` : ''}`;

function coverageRow(item) {
  if (item.classes) {
    const sums = { lines: sumOf(item.classes, 'lines'), branches: sumOf(item.classes, 'branches') };
    return boxRow({
      head: h('strong', {}, item.name), sub: `${plural(item.classes.length, 'class', 'classes')}; ${measures(sums)}`, ends: [cover(sums.lines, ['line', 'lines'])],
      detail: () => h('dl', { class: 'pairs' }, [['Lines', 'lines'], ['Branch sides', 'branches'], ['Outcomes of library calls', 'replacements']].map(([name, field]) => {
        const { covered, total } = sumOf(item.classes, field);
        return [h('dt', {}, name), h('dd', {}, total ? `${number(covered)} of ${number(total)}, ${percent(covered, total)}` : 'none')];
      })),
    });
  }
  const simple = item.name.slice(item.name.lastIndexOf('.') + 1);
  return boxRow({ head: simple, sub: measures(item), ends: [cover(item.lines, ['line', 'lines'])], inner: true, detail: () => classDetail(item) });
}

function classDetail(item) {
  const source = sourceOf(item.name);
  const numbers = (title, ranges) => (ranges ? [h('dt', {}, title), h('dd', {}, h('code', {}, ranges.replaceAll(',', ', ')))] : null);
  const lines = h('dl', { class: 'pairs' }, numbers('Not executed', item.missed_lines), numbers('In part', item.partly_lines), numbers('Executed', item.reached_lines));
  return [
    item.degraded ? h('p', { class: 'note' }, item.degraded) : null,
    item.replacements.total ? h('p', {}, `${number(item.replacements.covered)} of ${plural(item.replacements.total, 'outcome', 'outcomes')} of library calls`) : null,
    source ? [h('p', { class: 'soft' }, h('code', {}, source.path)), sourceView(source, 1, source.lines.length), sourceKey()] : lines,
    source ? null : h('p', { class: 'soft' }, 'Its source was not found: restive report --sources FOLDER shows it here.'),
  ];
}

function showCoverage() {
  const { coverage } = data;
  const classes = coverage.per_class || [];
  if (!coverage.driver) {
    const why = 'What happens inside the service was not measured. A service that restive starts from a jar, or with --packages, is.';
    part({ id: 'coverage', title: 'Coverage', body: h('p', { class: 'note' }, why) });
    return;
  }
  const items = packagesOf(classes).flatMap(([name, inside]) => [{ name, classes: inside }, ...inside]);
  const { list, body } = boxes({ items, row: coverageRow, text: (it) => it.name, key: (it) => (it.classes ? `package ${it.name}` : it.name), what: ['row', 'rows', 'No class was measured.'], page: 40 });
  const skipped = coverage.skipped_classes || [];
  const measured = [`measured by ${coverage.driver}`];
  if (data.cut.sources) measured.push(`${plural(data.cut.sources, 'source', 'sources')} too large to be shown`);
  const more = coverage.classes_skipped > skipped.length ? h('p', { class: 'soft' }, `and ${number(coverage.classes_skipped - skipped.length)} more`) : null;
  const unmeasured = skipped.length
    ? h('details', {}, h('summary', {}, `${plural(coverage.classes_skipped, 'class is', 'classes are')} not measured`),
      h('ul', { class: 'dots' }, skipped.map((it) => h('li', {}, h('code', {}, it.name), `: ${it.reason}`))), more) : null;
  part({ id: 'coverage', title: 'Coverage', total: classes.length, list, lead: `By package and class, ${measured.join('; ')}.`, body: [body, unmeasured] });
}
