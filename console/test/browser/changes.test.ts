import { expect, it } from 'vitest';
import { openBrowser } from './support/chromium.ts';
import { signInAsOwner } from './support/gateway.ts';
import { expectLivable } from './support/page-checks.ts';
import { addAcme, signInWithKey, startTeam } from './support/team.ts';

const browser = openBrowser();

it('says who changed whose access and when, found by person, kind and day', async () => {
  const running = await startTeam();
  const { key, admin } = await addAcme(running);
  const asAnn = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${running.url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${admin}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    expect(response.ok).toBe(true);
    return response.status === 204 ? {} : response.json();
  };
  await asAnn('PATCH', '/users/ben', { roles: ['admin'] });
  const { record } = await asAnn('POST', '/keys', {
    user: 'ben',
    name: 'ci',
    maxAccess: 'read',
    sources: ['desk'],
  });
  await asAnn('PUT', '/access', { user: 'cleo', scope: 'source:desk', level: 'read-only' });

  const page = await browser.page(`${running.url}/sign-in`);
  await signInAsOwner(page, running, '/changes');
  const rows = page.getByRole('row');
  const told = async () =>
    (await rows.allTextContents())
      .slice(1)
      .map((text) => text.replace(/(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun).*/, ''));
  await expect
    .poll(told)
    .toEqual([
      'level source:desk: read-onlyCleo CedarAnn Alder',
      'created for Ben Birch, at most read, for deskBen Birch, key ciAnn Alder',
      'changed roles (admin)Ben BirchAnn Alder',
    ]);
  await expectLivable(page, 'changes');

  // what the operator does meanwhile comes by itself, and a person's keys are the person's
  const other = await browser.page(`${running.url}/sign-in`);
  await signInAsOwner(other, running, '/people');
  await other.getByRole('tab', { name: 'Keys' }).click();
  await other.getByRole('button', { name: 'Revoke ci' }).click();
  await other.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await rows.getByText('revoked').waitFor();
  await page.getByLabel('Concerns').selectOption({ label: 'Ben Birch' });
  await expect
    .poll(told)
    .toEqual([
      'revokedBen Birch, key cithe operator',
      'created for Ben Birch, at most read, for deskBen Birch, key ciAnn Alder',
      'changed roles (admin)Ben BirchAnn Alder',
    ]);
  await page.getByLabel('Done by').selectOption({ label: 'the operator' });
  await expect.poll(told).toEqual(['revokedBen Birch, key cithe operator']);
  await page.getByLabel('Kind').selectOption({ label: 'People' });
  await page.getByText('Nothing fits these filters').waitFor();
  await page.getByLabel('Done by').selectOption({ label: 'Any' });
  await page.reload();
  await expect.poll(told).toEqual(['changed roles (admin)Ben BirchAnn Alder']);
  const today = new Date().toISOString().slice(0, 10);
  await page.getByLabel('First day').fill(today);
  await expect.poll(told).toHaveLength(1);
  await page.getByLabel('Last day').fill('2020-02-02');
  await page.getByText('Nothing fits these filters').waitFor();
  await expectLivable(page, 'changes-filters');
  await page.getByRole('button', { name: 'Clear' }).click();
  await expect.poll(told).toHaveLength(4);
  expect(record.id).toMatch(/^key_/);

  // whoever is no admin reads of nothing that others did
  const own = await browser.page(`${running.url}/sign-in`);
  await asAnn('PATCH', '/users/ben', { roles: [] });
  await signInWithKey(own, running, key);
  await own.goto(`${running.url}/changes`);
  await own.getByText('Nothing was changed yet').waitFor();
});

it('keeps the first day while the year of the last one is typed', async () => {
  const running = await startTeam();
  const page = await browser.page('about:blank');
  await signInAsOwner(page, running, '/changes?from=2026-11-01');
  await page.getByLabel('Last day').focus();
  // the same with the day before the month, and behind it
  await page.keyboard.type('11112026');
  await page.waitForURL(/to=2026-11-11/);
  expect(new URL(page.url()).searchParams.get('from')).toBe('2026-11-01');
});

it('gives up a day that is taken out by keys, part by part', async () => {
  const running = await startTeam();
  const page = await browser.page('about:blank');
  await signInAsOwner(page, running, '/changes?from=2026-11-01&to=2026-11-30');
  await page.getByLabel('First day').focus();
  for (const key of ['Backspace', 'ArrowRight', 'Backspace', 'ArrowRight', 'Backspace'])
    await page.keyboard.press(key);
  await page.getByLabel('Last day').focus();
  await page.waitForURL(/\/changes\?to=2026-11-30$/);
  // a part alone is none, and the day is there again
  await page.keyboard.press('Backspace');
  await page.getByLabel('First day').focus();
  await expect.poll(() => page.getByLabel('Last day').inputValue()).toBe('2026-11-30');
});

it('has its filters behind a button on a telephone', async () => {
  const running = await startTeam();
  const page = await browser.page('about:blank', { width: 360 });
  await signInAsOwner(page, running, '/changes?from=2026-11-01');
  const button = page.getByRole('button', { name: 'Filters, 1 in force' });
  await button.waitFor();
  expect(await page.getByLabel('First day').isVisible()).toBe(false);
  await button.click();
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.waitForURL(/\/changes$/);
  await page.getByRole('button', { name: 'Filters', exact: true }).waitFor();
});
