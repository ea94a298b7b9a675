// Takes the pictures of the README from real output, with Debian's Chromium: node scripts/pictures.mjs
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const root = fileURLToPath(new URL('..', import.meta.url));
const run = (args, env = {}) =>
  execFileSync('node', ['dist/cli/main.js', ...args], { cwd: root, encoding: 'utf8', env: { ...process.env, ...env } });
const COLORS = {
  1: 'font-weight:700',
  2: 'color:#8b949e',
  31: 'color:#ff7b72',
  32: 'color:#7ee787',
  33: 'color:#f2cc60',
  34: 'color:#79c0ff',
  35: 'color:#d2a8ff',
  36: 'color:#76e3ea',
  90: 'color:#8b949e',
};

/** Select graphic rendition to spans; the tool prints nothing else. */
function toHtml(text) {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  let open = [];
  return escaped.replaceAll(new RegExp(`${String.fromCharCode(27)}\\[(\\d+)m`, 'g'), (_, code) => {
    const closing = {
      0: () => [],
      22: () => open.filter((one) => one !== '1' && one !== '2'),
      39: () => open.filter((one) => Number(one) < 30),
    }[code];
    const had = open.length > 0;
    open = closing ? closing() : [...open, code];
    return `${had ? '</span>' : ''}${open.length > 0 ? `<span style="${open.map((one) => COLORS[one] ?? '').join(';')}">` : ''}`;
  });
}

mkdirSync(`${root}/docs/images`, { recursive: true });
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--headless',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
});
try {
  const terminal = await browser.newPage({ viewport: { width: 860, height: 600 }, deviceScaleFactor: 2 });
  const text = run(['demo', '-w', '96'], { FORCE_COLOR: '1' });
  await terminal.setContent(
    `<body style="margin:0;background:#0d1117"><pre style="margin:0;padding:18px 22px;color:#e6edf3;font:13.5px/1.45 'DejaVu Sans Mono',monospace;display:inline-block">${toHtml(text)}</pre></body>`,
  );
  await terminal.locator('pre').screenshot({ path: `${root}/docs/images/terminal.png` });
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, deviceScaleFactor: 1.5 });
  await page.setContent(run(['demo', '-o', 'html']));
  await page.screenshot({ path: `${root}/docs/images/html.png` });
} finally {
  await browser.close();
}
