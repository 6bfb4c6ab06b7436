// The page as a whole: top, sections, search, keys, links.

function showTop() {
  const { run, coverage } = data;
  const called = data.operations.filter((operation) => !operation.skipped);
  const figure = (name, value, small, share) => h('div', { class: 'figure' }, h('dt', {}, name),
    h('dd', {}, value, small ? h('small', {}, small) : null, share === undefined ? null : meter(share, `${name}: ${value}`)));
  const succeeded = called.filter(hasSuccess).length;
  const of = (covered) => `${number(covered.covered)} of ${number(covered.total)}`;
  const figures = [
    figure('Faults', number(data.findings.length), data.findings.length ? plural(data.findings.filter((it) => it.confirmation === 'confirmed').length, 'is confirmed', 'are confirmed') : 'none found'),
    figure('Operations', `${number(succeeded)} of ${number(called.length)}`, 'succeeded', called.length ? succeeded / called.length : 0),
    coverage.lines && coverage.lines.total ? figure('Lines', percent(coverage.lines.covered, coverage.lines.total), of(coverage.lines), coverage.lines.covered / coverage.lines.total) : null,
    coverage.branches && coverage.branches.total ? figure('Branches', percent(coverage.branches.covered, coverage.branches.total), of(coverage.branches), coverage.branches.covered / coverage.branches.total) : null,
    figure('Targets', number(coverage.targets), `kept in ${plural(tests.length, 'test', 'tests')}`),
    figure('Calls', number(run.calls), `in ${duration(run.seconds)}`),
  ];
  document.getElementById('figures').append(...figures.filter(Boolean));
  document.getElementById('about').append(visible(`${plural(run.calls, 'call', 'calls')} to ${run.base_url} in ${duration(run.seconds)}, seed ${run.rng_seed}.`));
  document.getElementById('foot').append(visible(`Made by restive ${data.restive_version} from results.json. Nothing on this page is fetched from anywhere.`));
}

const query = document.getElementById('query');
const words = () => wordsOf(query.value);

function showSections() {
  const entry = (it) => {
    it.link = h('a', { href: `#/${it.id}` }, it.title, it.total === undefined ? null : h('span', { class: 'n' }, number(it.total)));
    return h('li', {}, it.link);
  };
  document.getElementById('sections').append(...parts.map(entry));
  if (!('IntersectionObserver' in window)) return;
  const seen = new Set();
  const observer = new IntersectionObserver((entries) => {
    for (const it of entries) (it.isIntersecting ? seen.add(it.target.id) : seen.delete(it.target.id));
    const first = parts.find((it) => seen.has(it.section.id));
    for (const it of parts) it === first ? it.link.setAttribute('aria-current', 'true') : it.link.removeAttribute('aria-current');
  }, { rootMargin: '-25% 0px -74% 0px' });
  for (const it of parts) observer.observe(it.section);
}

function search() {
  const wanted = words();
  let all = 0;
  for (const it of parts) {
    if (!it.lists.length) continue;
    const n = it.lists.reduce((sum, list) => sum + list.filter(wanted), 0);
    const shown = number(wanted.length ? n : it.total);
    it.count.textContent = wanted.length ? `${shown} of ${number(it.total)}` : shown;
    it.link.querySelector('.n').textContent = shown;
    all += n;
  }
  document.getElementById('found').textContent = wanted.length ? `${plural(all, 'match', 'matches')}` : '';
}

// `#/tests/NAME`: a section, and an item of it.
function followHash() {
  const [, id, ...rest] = location.hash.split('/');
  const it = parts.find((one) => one.id === id);
  if (!it) return;
  let key = '';
  try { key = decodeURIComponent(rest.join('/')); } catch { key = ''; }
  if (!key) {
    it.section.scrollIntoView();
    document.getElementById(`title-${id}`).focus({ preventScroll: true });
    return;
  }
  // A statement of a class leads to its line.
  const line = /^(.*):(\d+)$/.exec(key);
  for (const list of it.lists) {
    if (list.reveal(key)) return;
    const row = id === 'coverage' && line ? list.reveal(line[1]) : null;
    const at = row && row.detailNode.querySelector(`[data-line="${line[2]}"]`);
    if (at) at.scrollIntoView({ block: 'center' });
    if (row) return;
  }
}

function onKey(event) {
  const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName || '');
  if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    query.focus();
    query.select();
  } else if (event.key === 'Escape' && event.target === query) {
    query.value = '';
    search();
    query.blur();
  }
}

showTop();
showFaults();
showChanges();
showCurves();
showOperations(words);
showCoverage();
showOpen();
showTests();
showHints();
showRun();
showSections();
for (const it of parts) for (const list of it.lists) list.draw();

query.addEventListener('input', search);
document.getElementById('search').addEventListener('submit', (event) => {
  event.preventDefault();
  const first = parts.find((it) => it.lists.some((list) => list.shown.length));
  if (words().length && first) location.hash = `#/${first.id}`;
});
document.addEventListener('keydown', onKey);
window.addEventListener('hashchange', followHash);
const print = (isPrinting) => { for (const it of parts) for (const list of it.lists) list.print(isPrinting, it.opensInPrint); };
window.addEventListener('beforeprint', () => print(true));
window.addEventListener('afterprint', () => print(false));
followHash();
// So that the first key in the search has nothing to wait for.
(window.requestIdleCallback || setTimeout)(() => { for (const it of parts) for (const list of it.lists) list.prepare(); });
