// node dom.js PAGE EXPECTED: the page in jsdom. Prints problems, a line each.

const fs = require('fs');
const path = require('path');
const { JSDOM, VirtualConsole } = require('jsdom');
const checks = require('./checks.js');

const [file, expected] = process.argv.slice(2);
const problems = [];
const virtualConsole = new VirtualConsole();
// jsdom knows less of CSS than browsers do; what it says of that is no problem of the page.
virtualConsole.on('jsdomError', (error) => { if (error.type !== 'css parsing' && !/stylesheet/.test(error.message)) problems.push(`error: ${error.message}`); });
for (const kind of ['error', 'warn', 'log']) virtualConsole.on(kind, (text) => problems.push(`console: ${text}`));

const { window } = new JSDOM(fs.readFileSync(file, 'utf8'), {
  runScripts: 'dangerously',
  url: 'http://page.invalid/report.html',
  virtualConsole,
  beforeParse(it) {
    // There is no layout here, so there is nothing to scroll.
    it.Element.prototype.scrollIntoView = () => {};
  },
});
problems.push(...window.eval(`(${checks})(${fs.readFileSync(path.resolve(expected), 'utf8')})`));
for (const problem of problems) console.log(problem);
window.close();
