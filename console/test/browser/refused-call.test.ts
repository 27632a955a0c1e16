import { expect, it } from 'vitest';
import { LOCAL_PRINCIPAL } from '../../../gateway/src/operations/index.ts';
import { openBrowser } from './support/chromium.ts';
import { expectLivable } from './support/page-checks.ts';
import { addAcme, signInWithKey, startTeam, withDirectory } from './support/team.ts';

const browser = openBrowser();

it('from a call that was refused one comes to every check of it, for who made it', async () => {
  const running = await startTeam();
  const { key, admin } = await addAcme(running);
  await withDirectory(running, ({ levels }) =>
    levels.set(LOCAL_PRINCIPAL, { user: 'ben', scope: 'source:calendar', level: 'none' }),
  );
  const ben = await running.client(key);
  await ben.callTool({ name: 'list_events', arguments: {} });
  const page = await browser.page('about:blank');
  await signInWithKey(page, running, admin);
  await page.goto(`${running.url}/calls`);
  await page.getByRole('grid').getByText('tool_forbidden').click();
  await page.getByRole('article').getByRole('link', { name: 'See every check' }).click();
  await page.getByText('It is hidden by user-level, access.').waitFor();
  expect(await page.getByLabel('As seen by').locator('option:checked').textContent()).toBe('Ben Birch');
  await expectLivable(page, 'tool-access-as');
  await page.getByLabel('As seen by').selectOption('You');
  await page.getByText('It is offered, and a call is let through.').waitFor();

  // the same for oneself
  const own = await browser.page('about:blank');
  await signInWithKey(own, running, key);
  await own.goto(`${running.url}/calls`);
  await own.getByRole('grid').getByText('tool_forbidden').click();
  await own.getByRole('article').getByRole('link', { name: 'See every check' }).click();
  await own.getByText('It is hidden by user-level, access.').waitFor();
});
