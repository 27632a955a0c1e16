import { expect, it } from 'vitest';
import { openBrowser } from './support/chromium.ts';
import { signInAsOwner } from './support/gateway.ts';
import { expectNoSidewaysScroll, shoot } from './support/page-checks.ts';
import { addAcme, startTeam } from './support/team.ts';

/** Text at 200 %, as somebody sets it in the browser: relative sizes and the widths that styles ask for follow. */
const browser = openBrowser(['--blink-settings=defaultFontSize=32,defaultFixedFontSize=26']);

const PAGES = [
  ['calls', '[role=row]'],
  ['approvals', 'article'],
  ['tools', 'main li'],
  ['tokens', 'dl'],
  ['sources', 'main li'],
  ['sources/desk', 'dl'],
  ['access', 'main li'],
  ['people', 'table'],
  ['changes', 'table'],
  ['artifacts', 'table'],
  ['usage', 'dl'],
  ['doctor', 'main li'],
  ['settings', 'dl'],
] as const;

it('at 375 px no page scrolls sideways, and no value is squeezed to a letter a line', async () => {
  const running = await startTeam({ policy: { approvals: { delete: 'ask', wait: '1s' } } });
  const { key, admin } = await addAcme(running);
  const asked = (path: string, method: string, bearer: string, body: object) =>
    fetch(`${running.url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  await asked('/tools/delete_ticket/call', 'POST', key, { arguments: {} });
  await asked('/users/ben', 'PATCH', admin, { roles: ['admin'] });
  await (await running.gateway.artifacts()).put(Buffer.from('[]'), {
    mimeType: 'application/json',
    name: 'tickets_of_every_department.json',
  });
  const page = await browser.page(`${running.url}/sign-in`, { width: 375 });
  await signInAsOwner(page, running, '/settings');
  for (const [name, part] of PAGES) {
    await page.goto(`${running.url}/${name}`);
    await page.locator(part).last().waitFor();
    await expectNoSidewaysScroll(page);
    await shoot(page, `large-text-${name.replace('/', '-')}`);
    expect(await page.evaluate(squeezed)).toEqual([]);
  }
});

/** Words that stand in less room than two of their letters take. */
function squeezed(): string[] {
  const walker = document.createTreeWalker(document.querySelector('main')!, NodeFilter.SHOW_TEXT);
  const found: string[] = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const text = node.textContent!.trim();
    const range = document.createRange();
    range.selectNodeContents(node);
    const lines = range.getClientRects().length;
    if (text.length > 3 && lines > 2 && lines >= text.length / 3) found.push(text);
  }
  return found;
}
