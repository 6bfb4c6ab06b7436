// Making elements. Every text goes in as text, never as markup.

const SVG = 'http://www.w3.org/2000/svg';
// Characters that are invisible, or change how what follows is shown.
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

const visible = (text) => String(text).replace(UNSEEN, (character) => `⟨${character.charCodeAt(0).toString(16).padStart(4, '0')}⟩`);

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name === 'on') for (const [event, handler] of Object.entries(value)) element.addEventListener(event, handler);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : document.createTextNode(visible(child)));
  }
  return element;
}

const h = (tag, properties, ...children) => fill(document.createElement(tag), properties, children);
const svg = (tag, properties, ...children) => fill(document.createElementNS(SVG, tag), properties, children);

const number = (value) => Number(value || 0).toLocaleString('en-US');
const plural = (n, one, many) => `${number(n)} ${n === 1 ? one : many}`;
const percent = (part, whole) => (whole > 0 ? `${((part * 100) / whole).toFixed(part === whole ? 0 : 1)} %` : '–');
const chip = (text, kind) => h('span', { class: `chip ${kind || ''}` }, text);
const statusName = (status) => (Number(status) === 0 ? 'no answer' : String(status));
const statusKind = (status) => ({ 0: 'bad', 2: 'good', 4: 'warn', 5: 'bad' })[Math.floor(status / 100)] || '';
const statusChip = (status) => chip(statusName(status), statusKind(Number(status)));

function duration(seconds) {
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}

// A bar of a share in [0, 1].
function meter(share, label) {
  const width = Math.max(0, Math.min(1, share)) * 100;
  const bar = svg('svg', { class: 'meter', viewBox: '0 0 100 6', preserveAspectRatio: 'none', role: 'img', 'aria-label': label });
  bar.append(svg('rect', { x: 0, y: 0, width, height: 6 }));
  return bar;
}

// `VERB /path` with the verb set apart.
function operationName(id) {
  const space = id.indexOf(' ');
  return space < 0 ? [id] : [h('span', { class: 'verb' }, id.slice(0, space)), ' ', id.slice(space + 1)];
}

// A button that puts `text` where it can be pasted.
function copyButton(text, label) {
  const button = h('button', { type: 'button', class: 'button', 'aria-label': label }, 'Copy');
  button.addEventListener('click', async () => {
    const done = await copy(text);
    button.textContent = done ? 'Copied' : 'Select and copy';
    setTimeout(() => { button.textContent = 'Copy'; }, 1600);
  });
  return button;
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // A page that is opened from a file may not be allowed to; the old way often is.
    const area = h('textarea', { class: 'hidden', 'aria-hidden': 'true' });
    area.value = text;
    document.body.append(area);
    area.select();
    let done = false;
    try { done = document.execCommand('copy'); } catch { done = false; }
    area.remove();
    return done;
  }
}

const code = (text) => h('pre', { class: 'code', tabindex: '0' }, text);
const copied = (text, label) => h('div', { class: 'copied' }, code(text), copyButton(text, label));
