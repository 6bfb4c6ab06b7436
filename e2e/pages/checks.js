// What holds of every page: run inside of it, by jsdom or by Chromium. It stands alone, for it is sent there as text.

module.exports = function checks(expected) {
  const problems = [];
  const check = (holds, what) => { if (!holds) problems.push(what); };
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const one = (selector, root = document) => root.querySelector(selector);
  const query = one('#query');
  const part = (id) => one(`#part-${id}`);
  const count = (id) => one(`#title-${id} .n`).textContent;
  const toggles = (id) => all('.toggle', part(id));
  const search = (text) => {
    query.value = text;
    query.dispatchEvent(new Event('input', { bubbles: true }));
  };
  const press = (element, key) => element.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  const visit = (hash) => {
    location.hash = hash;
    window.dispatchEvent(new Event('hashchange'));
  };
  const number = (n) => n.toLocaleString('en-US');

  // The top and the sections.
  check(one('h1').textContent === expected.sentence, `the verdict is "${one('h1').textContent}"`);
  check(one('.service').textContent === expected.title, `the title is "${one('.service').textContent}"`);
  for (const id of ['faults', 'operations', 'coverage', 'open', 'tests', 'run']) check(part(id), `there is no section ${id}`);
  check(count('faults') === number(expected.faults), `${count('faults')} faults`);
  check(count('operations') === number(expected.operations), `${count('operations')} operations`);
  check(count('tests') === number(expected.tests), `${count('tests')} tests`);
  check(all('#sections a').length === all('section.part').length, 'the list of sections is whole');

  check(Boolean(part('changes')) === expected.changed > 0, 'changes are shown where there are some');
  if (expected.changed > 0) {
    check(count('changes') === number(expected.changed), `${count('changes')} changed files`);
    check(part('changes').textContent.includes('not executed: 7,9'), 'lines that were not executed are named');
  }

  // Nothing of a service became markup.
  check(document.scripts.length === 2, `${document.scripts.length} scripts`);
  check(all('img, iframe, object, embed, form:not(#search), style:not(head style), [onerror], [onload], [onclick], [style]').length === 0, 'foreign markup');
  check(window.pwned === undefined, 'a script of a service ran');

  // Headings, names, tables, ids.
  const levels = all('h1, h2, h3, h4').map((heading) => Number(heading.tagName[1]));
  check(levels[0] === 1 && levels.filter((level) => level === 1).length === 1, 'one h1 comes first');
  check(levels.every((level, idx) => idx === 0 || level <= levels[idx - 1] + 1), `headings skip a level: ${levels.join('')}`);
  check(all('button').every((button) => button.textContent.trim() || button.getAttribute('aria-label')), 'a button has no name');
  check(all('th').every((cell) => cell.getAttribute('scope')), 'a th has no scope');
  const ids = all('[id]').map((element) => element.id);
  check(new Set(ids).size === ids.length, 'an id comes twice');
  check(all('input').every((input) => one(`label[for="${input.id}"]`)), 'an input has no label');
  check(all('svg[role=img]').every((picture) => picture.getAttribute('aria-label')), 'a picture has no name');

  // A fault is opened, with its line and a way to copy it.
  if (expected.faults > 0) {
    const [first, second] = toggles('faults');
    check(first.getAttribute('aria-expanded') === 'true', 'the first fault is open');
    check(one(`#${first.getAttribute('aria-controls')} pre.code`).textContent.includes('curl '), 'it has its curl line');
    check(all('button', part('faults')).some((button) => button.textContent === 'Copy'), 'the line can be copied');
    check(first.tabIndex === 0 && (!second || second.tabIndex === -1), 'one row of a list is in the tab order');
    if (second) {
      first.focus();
      press(first, 'ArrowDown');
      check(document.activeElement === second, 'an arrow leads to the next row');
      press(second, 'ArrowRight');
      check(second.getAttribute('aria-expanded') === 'true', 'an arrow opens a row');
      second.click();
      check(second.getAttribute('aria-expanded') === 'false', 'a click closes it');
      press(second, 'Home');
      check(document.activeElement === first, 'Home leads to the first row');
    }
  }

  // Search.
  press(document.body, '/');
  check(document.activeElement === query, 'a slash leads to the search');
  search('there is no such thing at all');
  check(['faults', 'operations', 'tests'].every((id) => toggles(id).length === 0), 'what does not match is not shown');
  search(expected.lastTest);
  check(count('tests').startsWith('1 of '), `a test is found by its name: ${count('tests')}`);
  check(one('#found').textContent.includes('match'), 'the number of matches is told');
  press(query, 'Escape');
  check(query.value === '' && count('tests') === number(expected.tests), 'Escape clears the search');

  // A link leads to an item, however far down it is.
  visit(`#/tests/${encodeURIComponent(expected.lastTest)}`);
  const aim = one('.aim', part('tests'));
  check(aim && aim.textContent.includes(expected.lastTest), 'a link reveals its test');
  check(aim && one('.toggle', aim).getAttribute('aria-expanded') === 'true' && document.activeElement === one('.toggle', aim), 'it is open and has the focus');
  visit('#/tests/%E0%A4%A');
  visit('#/nowhere/at all');
  check(all('.row', part('tests')).length < 400, 'few rows are there at a time');

  // The order of operations.
  const faultsFirst = all('.choices button', part('operations')).find((button) => button.textContent === 'Faults first');
  faultsFirst.click();
  check(faultsFirst.getAttribute('aria-pressed') === 'true', 'the order is shown as chosen');
  if (expected.faults > 0) check(/fault/.test(one('tbody tr', part('operations')).textContent), 'operations with faults come first');
  toggles('operations')[0].click();
  check(one('td.wide', part('operations')), 'an operation opens');

  // Print: all faults open, and closed again afterwards.
  const before = toggles('faults').filter((toggle) => toggle.getAttribute('aria-expanded') === 'true').length;
  window.dispatchEvent(new Event('beforeprint'));
  check(toggles('faults').every((toggle) => toggle.getAttribute('aria-expanded') === 'true'), 'printed faults are open');
  window.dispatchEvent(new Event('afterprint'));
  check(toggles('faults').filter((toggle) => toggle.getAttribute('aria-expanded') === 'true').length === before, 'they are as before');
  return problems;
};
