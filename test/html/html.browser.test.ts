import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Report } from '../../src/model/report.ts';
import { renderHtml } from '../../src/render/html/index.ts';
import { everywhere, inFreeText, inNames } from './hostile.ts';
import { largeReport } from './large-report.ts';
import { FOUND, HEALTHY, UNDECIDED } from './sample-report.ts';

const CHROMIUM = '/usr/bin/chromium';
const FLAGS = [
  '--no-sandbox',
  '--headless',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const present = existsSync(CHROMIUM);
if (!present) process.stderr.write(`html.browser.test.ts is skipped: no browser at ${CHROMIUM}\n`);

const KNOWN_ELEMENTS = new Set(
  'HTML HEAD META TITLE LINK STYLE SCRIPT BODY A DIV P B I SPAN BUTTON MAIN HEADER FOOTER ASIDE NAV SECTION ARTICLE FIGURE FIGCAPTION H1 H2 H3 H4 OL UL LI DL DT DD DETAILS SUMMARY PRE CODE KBD MARK Q TABLE THEAD TBODY TR TH TD svg g rect circle path line text tspan title desc a'.split(
    ' ',
  ),
);

interface Opened {
  readonly page: Page;
  readonly complaints: string[];
}

describe.skipIf(!present)('the HTML report in a browser', () => {
  let browser: Browser;
  let folder: string;
  let files = 0;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'podcause-html-'));
    browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
  }, 60_000);

  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function open(report: Report, options: BrowserContextOptions = {}, change = (page: string) => page): Promise<Opened> {
    files += 1;
    const file = join(folder, `report-${files}.html`);
    writeFileSync(file, change(renderHtml(report)));
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce', ...options });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('dialog', (dialog) => complaints.push(`dialog ${dialog.message()}`));
    page.on('request', (request) => {
      if (!request.url().startsWith('file:') && !request.url().startsWith('data:')) complaints.push(`request ${request.url()}`);
    });
    await page.goto(pathToFileURL(file).href);
    return { page, complaints };
  }

  async function elementsOf(page: Page): Promise<readonly string[]> {
    return page.evaluate('[...new Set([...document.querySelectorAll("*")].map((one) => one.tagName))]') as Promise<string[]>;
  }

  const hostile: readonly (readonly [string, Report])[] = [
    ['every string', everywhere(FOUND)],
    ['every free text', inFreeText(FOUND)],
    ['every name', inNames(FOUND)],
    ['every free text of an undecided report', inFreeText(UNDECIDED)],
    ['every free text of a healthy report', inFreeText(HEALTHY)],
  ];

  it.each(hostile)('stays inert with a payload in %s', async (_, report) => {
    const { page, complaints } = await open(report);
    await page.evaluate('document.querySelectorAll("details").forEach((one) => { one.open = true; })');
    for (const mark of (await page.locator('.mark').all()).slice(0, 3)) await mark.focus();
    expect(await page.evaluate('window.hit')).toBeUndefined();
    expect(complaints).toEqual([]);
    expect((await elementsOf(page)).filter((name) => !KNOWN_ELEMENTS.has(name))).toEqual([]);
    expect(await page.evaluate('[document.scripts.length, document.styleSheets.length, document.images.length]')).toEqual([1, 1, 0]);
    expect(
      await page.evaluate(
        '[...document.querySelectorAll("*")].flatMap((one) => [...one.attributes]).filter((one) => /^on|^style$/i.test(one.name) && one.ownerElement.id !== "tip").length',
      ),
    ).toBe(0);
    expect(
      await page.evaluate('[...document.querySelectorAll("a")].filter((one) => !one.getAttribute("href").startsWith("#")).length'),
    ).toBe(0);
    expect(await page.evaluate('/[\\u202a-\\u202e\\u2066-\\u2069\\u0000\\u001b\\u2028]/.test(document.body.textContent)')).toBe(false);
    await page.context().close();
  });

  it('runs no script but its own, even if one got in', async () => {
    const injected = '<script>window.hit=1</script><img src="data:," onerror="window.hit=1"></body>';
    const { page, complaints } = await open(FOUND, {}, (text) => text.replace('</body>', injected));
    await page.waitForTimeout(100);
    expect(await page.evaluate('window.hit')).toBeUndefined();
    expect(complaints.join(' ')).toContain('Content Security Policy');
    expect(await page.evaluate('document.documentElement.className')).toBe('js');
    await page.context().close();
  });

  const widths: readonly (readonly [string, number, Report])[] = [
    ['a found report', 360, FOUND],
    ['a large report', 360, largeReport()],
    ['a healthy report', 360, HEALTHY],
    ['an undecided report', 360, UNDECIDED],
    ['a hostile report', 360, everywhere(FOUND)],
    ['a found report on a tablet', 800, FOUND],
    ['a large report on a desk', 1280, largeReport()],
  ];

  it.each(widths)('never scrolls sideways: %s at %i px', async (_, width, report) => {
    const { page } = await open(report, { viewport: { width, height: 800 } });
    await page.evaluate('document.querySelectorAll("details").forEach((one) => { one.open = true; })');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    expect(
      await page.evaluate(
        '[...document.querySelectorAll("main *, aside *")].filter((one) => !one.closest("svg") && one.getBoundingClientRect().right > innerWidth + 1).length',
      ),
    ).toBe(0);
    await page.context().close();
  });

  it('leads from a claim to its line and back without moving the page', async () => {
    const { page } = await open(FOUND);
    const link = page.locator('#incident-1-because .cite').first();
    await link.scrollIntoViewIfNeeded();
    const before = await page.evaluate('scrollY');
    await link.click();
    await page.waitForTimeout(100);
    expect(await page.evaluate('scrollY')).toBe(before);
    expect(await page.evaluate('document.querySelector(":target mark, :target .text").textContent')).toContain('SystemdCgroup = false');
    expect(await page.evaluate('document.querySelector(":target").getBoundingClientRect().top < innerHeight')).toBe(true);
    await page.locator(':target .backs a').first().click();
    expect(await page.evaluate('document.querySelector(":target .says").textContent')).toContain('containerd manages cgroups itself');
    await page.context().close();
  });

  it('shows an event on hover and on keyboard focus, and opens its row', async () => {
    const { page } = await open(FOUND);
    const mark = page.locator('.mark.bad').first();
    await mark.hover();
    expect(await page.locator('#tip').textContent()).toContain('over');
    await page.mouse.move(0, 0);
    await mark.focus();
    expect(await page.locator('#tip').isVisible()).toBe(true);
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.querySelector(".happening:target").closest("details").open')).toBe(true);
    await page.context().close();
  });

  it('switches its colours without storage', async () => {
    const { page } = await open(FOUND, { colorScheme: 'light' });
    const ground = 'getComputedStyle(document.body).backgroundColor';
    const light = await page.evaluate(ground);
    await page.locator('[data-theme-toggle]').click();
    expect(await page.evaluate(ground)).not.toBe(light);
    await page.locator('[data-theme-toggle]').click();
    expect(await page.evaluate(ground)).toBe(light);
    expect(await page.evaluate('localStorage.length + sessionStorage.length')).toBe(0);
    await page.context().close();
  });

  it('copies a command', async () => {
    const { page } = await open(FOUND, { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.locator('[data-copy]').first().click();
    await page.locator('.copy.done, .copy:text("Selected")').first().waitFor();
    const copied = await page.evaluate('navigator.clipboard.readText()');
    expect(copied).toBe('grep cgroupDriver /var/lib/kubelet/config.yaml');
    await page.context().close();
  });

  it('shows the steps of one distribution at a time', async () => {
    const { page } = await open(FOUND);
    const fix = page.locator('#incident-1-fix .fix').first();
    const shown = fix.locator('.variant:visible');
    expect(await shown.count()).toBe(3);
    expect((await shown.allTextContents()).join()).not.toContain('containerd.service');
    await fix.locator('[data-choose=rhel]').click();
    expect(await shown.count()).toBe(3);
    expect((await shown.allTextContents()).join()).toContain('containerd.service');
    await page.context().close();
  });

  it('walks claims with j and k, and skips to the answer', async () => {
    const { page } = await open(FOUND);
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the answer');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    expect(await page.evaluate('document.activeElement.id')).toBe('claim-2');
    await page.keyboard.press('k');
    await page.keyboard.press('e');
    expect(await page.evaluate('location.hash')).toBe('#doc-config.toml-128');
    await page.context().close();
  });

  it('is whole without script', async () => {
    const { page, complaints } = await open(FOUND, { javaScriptEnabled: false });
    expect(await page.locator('.happening').first().isVisible()).toBe(true);
    expect(await page.locator('[data-copy]').first().isVisible()).toBe(false);
    expect(await page.locator('#incident-1-fix .fix').first().locator('.variant:visible').count()).toBe(4);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('prints every fold open, on white', async () => {
    const { page } = await open(FOUND, { colorScheme: 'dark' });
    await page.emulateMedia({ media: 'print' });
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)');
    expect(await page.evaluate('getComputedStyle(document.querySelector(".panel")).position')).toBe('static');
    await page.evaluate('dispatchEvent(new Event("beforeprint"))');
    expect(await page.locator('details:not([open])').count()).toBe(0);
    await page.evaluate('dispatchEvent(new Event("afterprint"))');
    expect(await page.locator('#coverage[open]').count()).toBe(0);
    await page.context().close();
  });
});
