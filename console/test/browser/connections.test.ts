import { expect, it } from 'vitest';
import { openBrowser } from './support/chromium.ts';
import { addAcme, signInWithKey, startTeam } from './support/team.ts';

const browser = openBrowser();

it('who has nothing to connect is told who does it, and asked for nothing', async () => {
  const running = await startTeam();
  const { key } = await addAcme(running);
  const page = await browser.page(`${running.url}/sign-in`);
  await signInWithKey(page, running, key);
  await page.goto(`${running.url}/sources?show=connections`);
  await page.getByText('the operator of the gateway records them').waitFor();
  expect(await page.getByRole('button', { name: 'Connect an account' }).count()).toBe(0);
});
