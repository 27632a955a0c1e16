import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const OUTPUT = join(import.meta.dirname, '../../output');

const LEVELS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** All of those rules that look at colours: the rest finds the same in another theme. */
const OF_COLOURS = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };

/** No serious finding of axe, on the page as it is now. */
export async function expectAccessible(page: Page, runOnly: object = LEVELS): Promise<void> {
  // by the debugger, not as a tag: the page's own policy would refuse it; a page keeps it until it is loaded anew
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(await readAxe());
  const options = { resultTypes: ['violations'], runOnly };
  const results = (await page.evaluate(`axe.run(document, ${JSON.stringify(options)})`)) as AxeResults;
  const found = results.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
  expect(found).toEqual([]);
}

/** Everything fits the width: nothing but tables and code scrolls sideways. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const { content, window } = await page.evaluate(() => ({
    content: document.documentElement.scrollWidth,
    window: innerWidth,
  }));
  expect(content).toBeLessThanOrEqual(window);
}

/** A picture for people, in test/output; CI keeps them. */
export async function shoot(page: Page, name: string): Promise<void> {
  await mkdir(OUTPUT, { recursive: true });
  await page.screenshot({ path: join(OUTPUT, `${name}.png`), animations: 'disabled' });
}

/**
 * The page in both themes, at 380 px and at 200 %: accessible, nothing cut off, and a picture of each: `NAME.png`,
 * `NAME-dark.png`, `NAME-narrow.png`. Leaves the page as it was.
 */
export async function expectLivable(page: Page, name: string): Promise<void> {
  const size = page.viewportSize() ?? { width: 1280, height: 800 };
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await shoot(page, name);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page, OF_COLOURS);
  await shoot(page, `${name}-dark`);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 380, height: 800 });
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  await shoot(page, `${name}-narrow`);
  // 1280 pixels at 200 %
  await page.setViewportSize({ width: 640, height: 400 });
  await expectNoSidewaysScroll(page);
  await page.setViewportSize(size);
}

let axe: Promise<string> | undefined;

function readAxe(): Promise<string> {
  axe ??= import('node:fs/promises').then(({ readFile }) => readFile(AXE, 'utf8'));
  return axe;
}
