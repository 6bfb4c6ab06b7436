// Progress of the run: small curves over calls or over time.

const SERIES = [['Targets', 2, ''], ['Lines', 3, ''], ['Branches', 4, ''], ['Findings', 5, 'bad']];
const WIDE = 320;
const HIGH = 130;
const EDGE = { left: 34, right: 8, top: 8, bottom: 18 };

// The largest of 1, 2, 5 times a power of ten that makes at most three steps.
function step(most) {
  const power = 10 ** Math.floor(Math.log10(Math.max(most, 1)));
  return [power / 5, power / 2, power, power * 2, power * 5].find((it) => most / it <= 3 && it >= 1) || Math.max(1, power);
}

const short = (value) => (value >= 1e6 ? `${+(value / 1e6).toFixed(1)}M` : value >= 1e4 ? `${Math.round(value / 1e3)}k` : number(value));

function chart([name, column, kind], axis) {
  const points = data.curve;
  const x = axis === 'time' ? 1 : 0;
  const mostX = Math.max(...points.map((point) => point[x]), 1e-9);
  const mostY = Math.max(...points.map((point) => point[column]), 1);
  const atX = (value) => EDGE.left + (value / mostX) * (WIDE - EDGE.left - EDGE.right);
  const atY = (value) => HIGH - EDGE.bottom - (value / mostY) * (HIGH - EDGE.top - EDGE.bottom);
  const inX = (value) => (axis === 'time' ? duration(value) : `${short(value)} calls`);
  const last = points[points.length - 1];
  const picture = svg('svg', { viewBox: `0 0 ${WIDE} ${HIGH}`, role: 'img', 'aria-label': `${name}: ${number(last[column])} at the end, after ${inX(mostX)}` });
  for (let tick = 0; tick <= mostY; tick += step(mostY)) {
    picture.append(svg('line', { class: 'grid', x1: EDGE.left, x2: WIDE - EDGE.right, y1: atY(tick), y2: atY(tick) }),
      svg('text', { x: EDGE.left - 5, y: atY(tick) + 3, 'text-anchor': 'end' }, short(tick)));
  }
  picture.append(svg('text', { x: EDGE.left, y: HIGH - 4 }, '0'), svg('text', { x: WIDE - EDGE.right, y: HIGH - 4, 'text-anchor': 'end' }, inX(mostX)));
  const way = points.map((point) => `${atX(point[x]).toFixed(1)},${atY(point[column]).toFixed(1)}`);
  picture.append(svg('path', { class: 'area', d: `M${EDGE.left},${atY(0)}L${way.join('L')}L${atX(last[x])},${atY(0)}Z` }),
    svg('path', { class: 'curve', d: `M${EDGE.left},${atY(0)}L${way.join('L')}` }));
  const value = h('strong', {}, number(last[column]));
  const where = h('span', {}, name);
  follow(picture, { points, x, column, atX, atY, mostX }, (point) => {
    value.textContent = number((point || last)[column]);
    where.textContent = point ? `${name} after ${inX(point[x])}` : name;
  });
  return h('figure', { class: `chart ${kind}` }, h('figcaption', {}, where, value), picture);
}

// Shows the value under the pointer.
function follow(picture, { points, x, column, atX, atY, mostX }, tell) {
  const line = svg('line', { class: 'cursor', y1: EDGE.top, y2: HIGH - EDGE.bottom, visibility: 'hidden' });
  const dot = svg('circle', { class: 'point', r: 3, visibility: 'hidden' });
  picture.append(line, dot);
  const show = (point) => {
    for (const mark of [line, dot]) mark.setAttribute('visibility', point ? 'visible' : 'hidden');
    if (point) {
      line.setAttribute('x1', atX(point[x]));
      line.setAttribute('x2', atX(point[x]));
      dot.setAttribute('cx', atX(point[x]));
      dot.setAttribute('cy', atY(point[column]));
    }
    tell(point);
  };
  picture.addEventListener('pointermove', (event) => {
    const frame = picture.getBoundingClientRect();
    const share = ((event.clientX - frame.left) / frame.width * WIDE - EDGE.left) / (WIDE - EDGE.left - EDGE.right);
    const wanted = share * mostX;
    show(points.reduce((best, point) => (Math.abs(point[x] - wanted) < Math.abs(best[x] - wanted) ? point : best)));
  });
  picture.addEventListener('pointerleave', () => show(null));
}

function curveTable() {
  const every = Math.max(1, Math.ceil(data.curve.length / 25));
  const rows = data.curve.filter((_, idx) => idx % every === 0 || idx === data.curve.length - 1);
  const head = ['Calls', 'Time', ...SERIES.map(([name]) => name)];
  return h('details', {}, h('summary', {}, 'The same as a table'), h('div', { class: 'table' }, h('table', {},
    h('thead', {}, h('tr', {}, head.map((name) => h('th', { scope: 'col', class: 'num' }, name)))),
    h('tbody', {}, rows.map((row) => h('tr', {}, row.map((value, idx) => h('td', { class: 'num' }, idx === 1 ? duration(value) : number(value)))))))));
}

function showCurves() {
  if (!data.curve.length) return;
  const series = SERIES.filter(([, column]) => column !== 3 && column !== 4 ? true : data.curve.some((point) => point[column] > 0));
  const charts = h('div', { class: 'charts' });
  const buttons = ['calls', 'time'].map((axis) => h('button', { type: 'button', class: 'button', on: { click: () => draw(axis) } }, `over ${axis}`));
  const draw = (axis) => {
    charts.replaceChildren(...series.map((it) => chart(it, axis)));
    buttons.forEach((button, idx) => button.setAttribute('aria-pressed', String(['calls', 'time'][idx] === axis)));
  };
  draw('calls');
  part({ id: 'progress', title: 'Progress', body: [h('div', { class: 'choices', role: 'group', 'aria-label': 'Axis' }, buttons), charts, curveTable()] });
}
