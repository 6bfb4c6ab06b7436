// Long lists: a window of rows is shown, the rest is a button away; words filter, arrow keys walk, a link reveals.

const PAGE = 50;
const PRINTED = 300;

const wordsOf = (text) => text.toLowerCase().split(/\s+/).filter(Boolean);

class List {
  // `row(item)` gives `{ nodes, toggle, detail, place }`: what stands in the list, its button, what the button shows, and a
  // function that puts it there. `text(item)` is what words are looked for in.
  constructor({ holder, items, row, text, key, what, footer, page }) {
    Object.assign(this, { holder, items, row, key, what, footer });
    this.page = page || PAGE;
    this.texts = null;
    this.text = text;
    this.open = new Set();
    this.order = items.map((_, idx) => idx);
    this.shown = this.order;
    this.first = 0;
    this.last = this.page;
    this.rows = new Map();
    this.keys = new Map(items.map((item, idx) => [key(item), idx]));
    holder.addEventListener('keydown', (event) => this.onKey(event));
  }

  // The texts that are searched, made once.
  prepare() {
    this.texts = this.texts || this.items.map((item) => this.text(item).toLowerCase());
  }

  // How many items have all `words`.
  filter(words) {
    this.prepare();
    const has = (idx) => words.every((word) => this.texts[idx].includes(word));
    this.shown = words.length === 0 ? this.order : this.order.filter(has);
    this.first = 0;
    this.last = this.page;
    this.draw();
    return this.shown.length;
  }

  sort(compare, words) {
    this.order = this.items.map((_, idx) => idx).sort((one, other) => compare(this.items[one], this.items[other]) || one - other);
    this.filter(words);
  }

  draw() {
    this.rows.clear();
    const nodes = [];
    for (const idx of this.shown.slice(this.first, this.last)) {
      const row = this.row(this.items[idx]);
      this.rows.set(idx, row);
      row.toggle.setAttribute('aria-expanded', 'false');
      row.toggle.tabIndex = -1;
      row.toggle.addEventListener('click', () => this.set(idx, !this.open.has(idx)));
      nodes.push(...row.nodes);
    }
    this.holder.replaceChildren(...nodes);
    for (const [idx] of this.rows) if (this.open.has(idx)) this.set(idx, true);
    const [firstRow] = this.rows.values();
    if (firstRow) firstRow.toggle.tabIndex = 0;
    this.drawFooter();
  }

  drawFooter() {
    const rest = this.shown.length - Math.min(this.last, this.shown.length);
    const children = [];
    if (this.shown.length === 0) children.push(h('span', {}, this.items.length ? 'Nothing here matches the search.' : this.what[2]));
    if (this.first > 0) {
      children.push(h('button', { type: 'button', class: 'button', on: { click: () => this.widen(-this.page) } }, `Show ${Math.min(this.page, this.first)} before`));
    }
    if (rest > 0) {
      children.push(h('button', { type: 'button', class: 'button', on: { click: () => this.widen(this.page * 2) } }, `Show ${Math.min(this.page * 2, rest)} more`));
      children.push(h('span', {}, `${number(Math.min(this.last, this.shown.length) - this.first)} of ${plural(this.shown.length, this.what[0], this.what[1])}`));
    }
    this.footer.replaceChildren(...children);
    this.footer.hidden = children.length === 0;
  }

  widen(by) {
    if (by < 0) this.first = Math.max(0, this.first + by);
    else this.last += by;
    const known = new Set(this.rows.keys());
    this.draw();
    const added = [...this.rows].find(([idx]) => !known.has(idx));
    if (added) this.focus(added[1].toggle);
  }

  set(idx, isOpen) {
    const row = this.rows.get(idx);
    if (isOpen) this.open.add(idx);
    else this.open.delete(idx);
    if (!row || Boolean(row.detailNode) === isOpen) return;
    if (isOpen) {
      row.detailNode = row.place(row.detail());
    } else {
      row.detailNode.remove();
      row.detailNode = null;
    }
    row.toggle.setAttribute('aria-expanded', String(isOpen));
  }

  focus(toggle) {
    for (const row of this.rows.values()) row.toggle.tabIndex = -1;
    toggle.tabIndex = 0;
    toggle.focus();
  }

  onKey(event) {
    if (!event.target.classList.contains('toggle') || event.ctrlKey || event.metaKey || event.altKey) return;
    const toggles = [...this.rows.values()].map((row) => row.toggle);
    const at = toggles.indexOf(event.target);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: toggles.length - 1 }[event.key];
    const idx = [...this.rows.keys()][at];
    if (event.key === 'ArrowRight') this.set(idx, true);
    else if (event.key === 'ArrowLeft') this.set(idx, false);
    else if (to === undefined) return;
    else if (to >= toggles.length && this.last < this.shown.length) this.widen(this.page);
    else if (toggles[to]) this.focus(toggles[to]);
    event.preventDefault();
  }

  // Shows the item of that key, opened; whether there is one.
  reveal(key) {
    const idx = this.keys.get(key);
    if (idx === undefined) return null;
    let at = this.shown.indexOf(idx);
    if (at < 0) {
      this.shown = this.order;
      at = this.shown.indexOf(idx);
    }
    if (at < this.first || at >= this.last || !this.rows.has(idx)) {
      this.first = Math.max(0, at - 5);
      this.last = at + this.page;
    }
    this.draw();
    this.set(idx, true);
    const row = this.rows.get(idx);
    for (const other of this.holder.querySelectorAll('.aim')) other.classList.remove('aim');
    row.nodes[0].classList.add('aim');
    this.focus(row.toggle);
    row.toggle.scrollIntoView({ block: 'start' });
    return row;
  }

  // All that is printed; back again afterwards.
  print(isPrinting, opensAll) {
    if (isPrinting) {
      this.before = { first: this.first, last: this.last, open: new Set(this.open) };
      this.first = 0;
      this.last = PRINTED;
      if (opensAll) for (const idx of this.shown.slice(0, PRINTED)) this.open.add(idx);
    } else if (this.before) {
      Object.assign(this, this.before);
      this.before = null;
    }
    this.draw();
  }
}

let rowCount = 0;

// A row of a list of boxes: `head` in its button, `ends` at the right end.
function boxRow({ head, sub, ends, detail, inner }) {
  rowCount += 1;
  const id = `row-${rowCount}`;
  const toggle = h('button', { type: 'button', class: 'toggle', 'aria-controls': id },
    h('span', { class: 'grow' }, h('span', { class: 'what' }, head), sub ? h('span', { class: 'sub' }, sub) : null),
    ends && ends.length ? h('span', { class: 'ends' }, ends) : null);
  const box = h('div', { class: `row${inner ? ' inner' : ''}` }, h('h3', {}, toggle));
  const place = (nodes) => {
    const holder = h('div', { class: 'detail', id }, nodes);
    box.append(holder);
    return holder;
  };
  return { nodes: [box], toggle, detail, place };
}

const parts = [];

// A section of the page; the number behind its title counts what matches.
function part({ id, title, lead, total, body, list, opensInPrint }) {
  const count = h('span', { class: 'n' }, total === undefined ? '' : number(total));
  const section = h('section', { class: 'part', id: `part-${id}`, 'aria-labelledby': `title-${id}` },
    h('h2', { id: `title-${id}`, tabindex: '-1' }, title, count), lead ? h('p', { class: 'lead' }, lead) : null, body);
  document.getElementById('main').append(section);
  parts.push({ id, title, total, count, section, lists: [list].flat().filter(Boolean), opensInPrint });
}

// A list of boxes with what holds it.
function boxes(options) {
  const holder = h('div', {});
  const footer = h('div', { class: 'more' });
  const list = new List({ ...options, holder, footer });
  return { list, body: h('div', { class: 'rows' }, holder, footer) };
}
