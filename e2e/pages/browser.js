// node browser.js CHROMIUM EXPECTED PAGE…: pages in Chromium. Prints problems, a line each, and what was measured to standard error.

const fs = require('fs');
const { chromium } = require('playwright-core');
const checks = require('./checks.js');

const QUIET = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const problems = [];

// Texts whose contrast with what is behind them is below 4.5 to 1 (WCAG 2.1, 1.4.3).
function faint() {
  const parse = (text) => {
    const numbers = (text.match(/[\d.]+/g) || []).map(Number);
    const scale = text.startsWith('color(') ? 255 : 1;
    return { rgb: numbers.slice(0, 3).map((n) => n * scale), alpha: numbers.length > 3 ? numbers[3] : 1 };
  };
  const over = (front, back) => front.rgb.map((n, idx) => n * front.alpha + back[idx] * (1 - front.alpha));
  const behind = (element) => {
    if (!element) return [255, 255, 255];
    const own = parse(getComputedStyle(element).backgroundColor);
    return own.alpha === 1 ? own.rgb : over(own, behind(element.parentElement));
  };
  const luminance = (rgb) => {
    const [r, g, b] = rgb.map((n) => n / 255).map((n) => (n <= 0.04045 ? n / 12.92 : ((n + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const found = new Set();
  for (const element of document.querySelectorAll('body *')) {
    const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!hasText || !element.checkVisibility() || /^(SCRIPT|NOSCRIPT|STYLE)$/.test(element.tagName) || element.namespaceURI.endsWith('svg')) continue;
    const back = behind(element);
    const front = over(parse(getComputedStyle(element).color), back);
    const [light, dark] = [luminance(front), luminance(back)].sort((one, other) => other - one);
    const ratio = (light + 0.05) / (dark + 0.05);
    if (ratio < 4.5) found.add(`${element.tagName}.${element.className}: ${ratio.toFixed(2)}`);
  }
  return [...found];
}

async function opened(browser, file, colorScheme, size) {
  const page = await browser.newPage({ viewport: size || { width: 1280, height: 900 }, colorScheme });
  const note = (what) => problems.push(`${colorScheme}: ${what}`);
  page.on('console', (message) => note(`console ${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => note(`error: ${error.message}`));
  page.on('request', (request) => { if (!/^(file|data):/.test(request.url())) note(`request: ${request.url()}`); });
  const begin = Date.now();
  await page.goto(`file://${file}`);
  console.error(`${file}: ${fs.statSync(file).size} bytes, open after ${Date.now() - begin} ms`);
  return page;
}

async function keyboard(page, note) {
  await page.keyboard.press('/');
  await page.keyboard.type('get');
  if ((await page.inputValue('#query')) !== 'get') note('what is typed after a slash is searched for');
  await page.keyboard.press('Escape');
  await page.focus('#query');
  // Sections, then the first row of the first list; each list is one stop.
  for (let stop = 0; stop < 40; stop += 1) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(() => document.activeElement.classList.contains('toggle'))) break;
  }
  const isOpen = () => page.evaluate(() => document.activeElement.getAttribute('aria-expanded'));
  const before = await isOpen();
  await page.keyboard.press('Enter');
  if (before === null || before === (await isOpen())) note('Tab and Enter open or close a row');
  const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
  if (outline === 'none') note('the focus is not seen');
}

async function colours(page, note) {
  for (const text of await page.evaluate(faint)) note(`hard to read: ${text}`);
  return page.evaluate(() => getComputedStyle(document.body).backgroundColor);
}

async function print(page, note) {
  await page.emulateMedia({ media: 'print' });
  const seen = await page.evaluate(() => ['.bar', '.side'].filter((it) => document.querySelector(it).checkVisibility()));
  if (seen.length) note(`printed: ${seen}`);
  const paper = await page.pdf();
  if (paper.subarray(0, 4).toString() !== '%PDF') note('it cannot be printed');
  await page.emulateMedia({ media: 'screen' });
}

async function times(page) {
  const times = await page.evaluate(() => ['r', 're', 'get 200', 'no such thing at all', ''].map((text) => {
    const query = document.getElementById('query');
    const begin = performance.now();
    query.value = text;
    query.dispatchEvent(new Event('input'));
    document.body.getBoundingClientRect();
    return `"${text}" ${(performance.now() - begin).toFixed(0)} ms`;
  }));
  console.error(`search: ${times.join(', ')}`);
}

async function main([executablePath, expectedFile, ...files]) {
  const expected = JSON.parse(fs.readFileSync(expectedFile, 'utf8'));
  const browser = await chromium.launch({ executablePath, args: QUIET });
  try {
    for (const file of files) {
      const grounds = [];
      for (const scheme of ['light', 'dark']) {
        const note = (what) => problems.push(`${scheme}: ${what}`);
        const page = await opened(browser, file, scheme);
        grounds.push(await colours(page, note));
        for (const problem of await page.evaluate(checks, expected)) note(problem);
        await keyboard(page, note);
        await times(page);
        await print(page, note);
        await page.close();
      }
      if (grounds[0] === grounds[1]) problems.push('light and dark look alike');
      const narrow = await opened(browser, file, 'light', { width: 380, height: 800 });
      if (await narrow.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)) problems.push('a narrow window scrolls sideways');
      await narrow.close();
    }
  } finally {
    await browser.close();
  }
  for (const problem of problems) console.log(problem);
}

main(process.argv.slice(2)).catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
