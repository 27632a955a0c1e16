import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openBrowser } from './support/chromium.ts';
import { signInAsOwner, startGateway } from './support/gateway.ts';
import { expectLivable } from './support/page-checks.ts';
import { startAlone } from './support/team.ts';

const browser = openBrowser();

it('a source without tools says that it has none, and why', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'toolcrib-list-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const documents = { empty: {}, lost: { '/a': { $ref: '#/components/pathItems/gone' } } };
  for (const [title, paths] of Object.entries(documents))
    await writeFile(
      join(folder, `${title}.json`),
      JSON.stringify({
        openapi: '3.1.0',
        info: { title, version: '1' },
        servers: [{ url: 'http://127.0.0.1:9' }],
        paths,
      }),
    );
  const running = await startGateway(
    { name: 'shop', sources: { empty: { openapi: './empty.json' }, lost: { openapi: './lost.json' } } },
    { folder },
  );
  const page = await browser.page('about:blank');
  await signInAsOwner(page, running, '/sources');
  const row = (name: string) =>
    page.getByRole('listitem').filter({ has: page.getByRole('link', { name, exact: true }) });
  await row('empty').getByText('It was read, and brings no tools.').waitFor();
  await row('empty').getByText('no tools', { exact: true }).waitFor();
  expect(await page.getByText('well', { exact: true }).count()).toBe(0);
  await expectLivable(page, 'sources-none');
  await row('lost').getByRole('link', { name: 'Its one operation was left out.' }).click();
  await page.getByRole('tab', { name: 'Left out (1)', selected: true }).waitFor();
});

it('commands within an advice are told from its words', async () => {
  const running = await startGateway({
    name: 'shop',
    sources: { away: { mcp: { command: process.execPath, args: ['-e', 'process.exit(3)'] } } },
  });
  const page = await browser.page('about:blank');
  await signInAsOwner(page, running, '/sources');
  const command = page.getByRole('listitem').locator('code', { hasText: /^toolcrib upstream status away$/ });
  await command.waitFor();
  expect(await page.getByRole('main').textContent()).not.toContain('`');
});

it('what is chosen has the colour of the theme, light and dark', async () => {
  const page = await browser.page('about:blank');
  await signInAsOwner(page, await startAlone(), '/settings');
  const radio = page.getByRole('radio', { name: 'As the system' });
  await radio.waitFor();
  const colours = () =>
    page.evaluate(() => {
      const probe = document.body.appendChild(document.createElement('p'));
      probe.style.color = 'var(--accent)';
      const input = document.body.appendChild(document.createElement('input'));
      input.type = 'radio';
      const found = [getComputedStyle(input).accentColor, getComputedStyle(probe).color];
      probe.remove();
      input.remove();
      return found;
    });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const [accent, wanted] = await colours();
    expect(accent).toBe(wanted);
  }
});
