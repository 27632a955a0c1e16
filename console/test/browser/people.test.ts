import { expect, it } from 'vitest';
import { LOCAL_PRINCIPAL } from '../../../gateway/src/operations/index.ts';
import { openBrowser } from './support/chromium.ts';
import { signInAsOwner } from './support/gateway.ts';
import { expectAccessible, expectLivable, shoot } from './support/page-checks.ts';
import { addAcme, signInWithKey, startAlone, startTeam, withDirectory } from './support/team.ts';

const browser = openBrowser();

it('from nothing: an organisation, a person, a key; its holder signs in and calls, until it is revoked', async () => {
  const running = await startTeam();
  const page = await browser.page(`${running.url}/sign-in`);
  await signInAsOwner(page, running, '/people');
  await page.getByText('There is no organisation yet').waitFor();
  await expectLivable(page, 'people-empty');

  await page.getByRole('button', { name: 'Add an organisation' }).click();
  const organisation = page.getByRole('dialog', { name: 'Add an organisation' });
  await organisation.getByLabel('Name').fill('Acme');
  await organisation.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByText('Nobody belongs to this organisation yet').waitFor();

  await page.getByRole('button', { name: 'Add a person' }).click();
  const person = page.getByRole('dialog', { name: 'Add a person' });
  await person.getByLabel('Name').fill('Dora Dune');
  await person.getByLabel('Email').fill('dora@example.com');
  await expectAccessible(page);
  await shoot(page, 'people-add');
  await person.getByRole('button', { name: 'Add', exact: true }).click();

  await page.getByRole('button', { name: 'New key for Dora Dune' }).click();
  const form = page.getByRole('dialog', { name: 'New key for Dora Dune' });
  await form.getByLabel('Name').fill('laptop');
  await form.getByLabel('At most').selectOption('read');
  await expectAccessible(page);
  await shoot(page, 'people-new-key');
  await form.getByRole('button', { name: 'Make the key' }).click();
  const shown = page.getByRole('dialog', { name: 'Key laptop' });
  const key = (await shown.locator('[data-key]').textContent()) ?? '';
  expect(key).toMatch(/^tck_/);
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
  await expect.poll(focused).toBe('Copy the key');
  // in the dialog itself: what is below it is not heard
  await shown.locator('[data-said]').getByText('The key laptop is made, and shown this once').waitFor();
  await shown.getByRole('button', { name: 'I have it' }).click();
  expect(await page.content()).not.toContain(key);

  const client = await running.client(key);
  const names = async () => (await client.listTools()).tools.map(({ name }) => name);
  expect(await names()).toEqual(expect.arrayContaining(['list_tickets']));
  expect(await names()).not.toContain('answer_ticket');
  const holder = await browser.page(`${running.url}/sign-in`);
  await signInWithKey(holder, running, key);
  await holder.goto(`${running.url}/people`);
  await holder.getByText('Dora Dune (you)').waitFor();
  expect(await holder.getByRole('button', { name: 'Add a person' }).count()).toBe(0);
  expect(await holder.getByRole('columnheader', { name: 'Actions' }).count()).toBe(0);

  await page.getByRole('tab', { name: 'Keys' }).click();
  await page.getByRole('cell', { name: 'read', exact: true }).waitFor();
  await page
    .getByRole('cell', { name: /now|ago/ })
    .first()
    .waitFor();
  await expectLivable(page, 'people-keys');
  // columns that have no room beside the others stand below them, with their titles
  await page.setViewportSize({ width: 380, height: 800 });
  await page.getByRole('cell', { name: /^Last used: / }).waitFor();
  await page.setViewportSize({ width: 1280, height: 800 });
  expect(await page.getByRole('cell', { name: /^Last used: / }).count()).toBe(0);
  await page.getByRole('button', { name: 'Revoke laptop' }).click();
  const confirm = page.getByRole('dialog', { name: 'Revoke the key laptop?' });
  // what comes of it is said with the question
  expect(
    await confirm.evaluate(
      (dialog) => document.getElementById(dialog.getAttribute('aria-describedby') ?? '')?.textContent,
    ),
  ).toContain('is refused at the next call');
  await expectAccessible(page);
  await shoot(page, 'people-revoke');
  await confirm.getByRole('button', { name: 'Revoke', exact: true }).click();
  await page.locator('[data-said]').getByText('The key laptop of Dora Dune is revoked').waitFor();
  await page.getByText('No keys').waitFor();
  // the last row went with the button: its panel is where the keyboard goes on
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Keys');
  await expect(client.callTool({ name: 'list_tickets', arguments: {} })).rejects.toThrow();
  // the browser that came in with it is signed out at its next request
  await holder.reload();
  await holder.waitForURL(/sign-in/);
});

it('who revokes one of several keys by keyboard goes on at the name of the next one, where Enter does nothing', async () => {
  const running = await startTeam();
  await addAcme(running);
  const page = await browser.page('about:blank');
  await signInAsOwner(page, running, '/people');
  await page.getByRole('tab', { name: 'Keys' }).click();
  await page.getByRole('button', { name: /^Revoke laptop of Ben Birch/ }).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).press('Enter');
  await page.locator('[data-said]').getByText('The key laptop of Ben Birch is revoked').waitFor();
  await expect.poll(() => page.getByRole('button', { name: /^Revoke/ }).count()).toBe(1);
  const focused = () =>
    page.evaluate(() => `${document.activeElement?.tagName} ${document.activeElement?.textContent}`);
  await expect.poll(focused).toMatch(/^TH deskAnn Alder/);
  await shoot(page, 'people-key-revoked');
  await page.keyboard.press('Enter');
  expect(await page.getByRole('dialog').count()).toBe(0);
  // from there to what can be done with it
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toMatch(
    /^Revoke desk of Ann Alder/,
  );
  // a name is no stop of its own
  expect(await page.locator('th[tabindex]').count()).toBe(0);
});

it('a table that is one pixel wider than its place is no stop for the keyboard, one that scrolls is', async () => {
  const running = await startTeam();
  await addAcme(running);
  const page = await browser.page('about:blank');
  await signInAsOwner(page, running, '/people');
  const table = page.getByRole('table', { name: 'People' });
  const widen = (pixels: number) =>
    table.evaluate((element, more) => {
      element.style.minWidth = `${element.parentElement!.clientWidth + more}px`;
    }, pixels);
  const stop = () => table.evaluate((element) => element.parentElement!.getAttribute('tabindex'));
  await widen(2);
  await expect.poll(stop).toBe('0');
  await widen(1);
  await expect.poll(stop).toBeNull();
});

it('roles and people are changed by an admin with a key', async () => {
  const running = await startTeam();
  const { admin } = await addAcme(running);
  const page = await browser.page(`${running.url}/sign-in`);
  await signInWithKey(page, running, admin);
  await page.goto(`${running.url}/people`);
  await page.getByText('Cleo Cedar').waitFor();
  await expectLivable(page, 'people');
  await page.getByRole('tab', { name: 'Roles' }).click();
  await page.getByRole('button', { name: 'Add a role' }).click();
  const role = page.getByRole('dialog', { name: 'Add a role' });
  await role.getByLabel('Name').fill('auditor');
  await role.getByLabel('Permissions').fill('logs\nreports');
  await role.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('cell', { name: 'logs, reports' }).waitFor();
  await expectAccessible(page);
  await shoot(page, 'people-roles');
  await page.getByRole('tab', { name: 'People' }).click();
  await page.getByRole('button', { name: 'Change Cleo Cedar' }).click();
  const cleo = page.getByRole('dialog', { name: 'Cleo Cedar' });
  await cleo.getByLabel('auditor').check();
  await cleo.getByLabel('State').selectOption('disabled');
  await cleo.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('row', { name: /Cleo Cedar.*auditor.*disabled/ }).waitFor();
  expect(await page.getByRole('tab', { name: 'Organisations' }).count()).toBe(0);
});

it('says so where somebody else changed or removed the role that is being changed, before it takes its place', async () => {
  const running = await startTeam();
  const { admin } = await addAcme(running);
  const page = await browser.page(`${running.url}/sign-in`);
  await signInWithKey(page, running, admin);
  await page.goto(`${running.url}/people?show=roles`);
  const by = LOCAL_PRINCIPAL;
  const role = { organisation: 'acme', name: 'support' };
  const dialog = page.getByRole('dialog', { name: 'Role support' });
  const permissions = () =>
    withDirectory(running, async ({ roles }) => {
      const all = await roles.list(by, { organisation: 'acme' });
      return all.find(({ name }) => name === 'support')?.permissions;
    });

  await page.getByRole('button', { name: 'Change support' }).click();
  await dialog.getByLabel('Permissions').fill('mine');
  await withDirectory(running, ({ roles }) => roles.set(by, { ...role, permissions: ['theirs'] }));
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('It holds theirs now').waitFor();
  expect(await permissions()).toEqual(['theirs']);
  await expectAccessible(page);
  await shoot(page, 'people-role-overtaken');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await permissions()).toEqual(['mine']);

  await page.getByRole('button', { name: 'Change support' }).click();
  await withDirectory(running, ({ roles }) => roles.remove(by, 'support', { organisation: 'acme' }));
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Somebody removed this role meanwhile').waitFor();
  expect(await permissions()).toBeUndefined();
});

it('people and keys of one name are found, and told apart before one is taken away', async () => {
  const running = await startTeam();
  await addAcme(running);
  const { hint } = await withDirectory(running, async ({ users, keys }) => {
    await users.create(LOCAL_PRINCIPAL, { id: 'ben2', organisation: 'acme', name: 'Ben Birch' });
    return (await keys.create(LOCAL_PRINCIPAL, { user: 'ben2', name: 'laptop' })).record;
  });
  const page = await browser.page(`${running.url}/sign-in`);
  await signInAsOwner(page, running, '/people');
  await page.getByRole('searchbox', { name: 'Filter people' }).fill('ben2');
  await page.getByText('1 of 4 people').waitFor();
  await page.getByRole('button', { name: 'Remove Ben Birch (ben2)' }).click();
  const person = page.getByRole('dialog', { name: 'Remove Ben Birch (ben2)?' });
  await person.getByRole('button', { name: 'Keep it' }).click();
  await page.getByRole('tab', { name: 'Keys' }).click();
  await page.getByRole('searchbox', { name: 'Filter keys' }).fill('laptop');
  await page.getByText('2 of 3 keys').waitFor();
  await page.getByRole('button', { name: `Revoke laptop of Ben Birch (ben2), ${hint}` }).click();
  const confirm = page.getByRole('dialog', { name: 'Revoke the key laptop?' });
  await confirm.getByText(`It is the key ${hint}… of Ben Birch (ben2), never used.`).waitFor();
  await confirm.getByRole('button', { name: 'Revoke', exact: true }).click();
  await page.getByText('1 of 2 keys').waitFor();
  await page.goto(`${running.url}/access`);
  await page.getByRole('button', { name: 'Ben Birch (ben2), desk' }).waitFor();
});

it('without a team, says how to make one', async () => {
  const running = await startAlone();
  const page = await browser.page(`${running.url}/people`);
  await page.getByText('there are no users and no keys').waitFor();
  await expectLivable(page, 'people-alone');
});

it('a key that is being made or shown is not lost by a slip of the mouse, nor by impatience', async () => {
  const running = await startTeam();
  await addAcme(running);
  const page = await browser.page(`${running.url}/sign-in`);
  await signInAsOwner(page, running, '/people');
  await page.getByRole('button', { name: 'New key for Ben Birch' }).click();
  const form = page.getByRole('dialog', { name: 'New key for Ben Birch' });
  const name = form.getByLabel('Name');
  await name.fill('laptop');
  // text is selected beyond the edge of the dialog
  const box = (await name.boundingBox())!;
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(5, 5);
  await page.mouse.up();
  await page.mouse.click(5, 5);
  expect(await name.inputValue()).toBe('laptop');

  let answer = () => {};
  const awaited = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/api/v1/keys', async (route) => {
    if (route.request().method() === 'POST') await awaited;
    await route.continue();
  });
  await form.getByRole('button', { name: 'Make the key' }).click();
  await page.keyboard.press('Escape');
  expect(await form.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true);
  answer();
  const shown = page.getByRole('dialog', { name: 'Key laptop' });
  await shown.getByText(/^tck_/).waitFor();
  await page.mouse.click(5, 5);
  expect(await shown.isVisible()).toBe(true);
});

it('says so where a new key cannot be copied: over plain HTTP a browser has no clipboard', async () => {
  const running = await startTeam();
  await addAcme(running);
  const page = await browser.page('about:blank');
  await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
  await signInAsOwner(page, running, '/people');
  await page.getByRole('button', { name: 'New key for Ben Birch' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('laptop');
  await page.getByRole('button', { name: 'Make the key' }).click();
  await page.getByRole('button', { name: 'Copy the key' }).click();
  await page.getByRole('button', { name: 'Not allowed' }).waitFor();
});

it('shows what turns the writing in a name, and nothing beside it is turned', async () => {
  const running = await startTeam();
  await addAcme(running);
  const key = await withDirectory(running, async ({ organisations, users, keys }) => {
    const by = LOCAL_PRINCIPAL;
    await organisations.create(by, { id: 'nova', name: 'Nova\u202e' });
    await users.create(by, { id: 'eve', organisation: 'acme', name: 'Eve\u202e', roles: ['admin'] });
    return (await keys.create(by, { user: 'eve', name: 'laptop\u202e' })).key;
  });
  const page = await browser.page('about:blank');
  /** Where it stands as it is: texts, and what a screen reader says. */
  const turned = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('body *')]
        .filter(
          (one) =>
            [...one.childNodes].some((node) => node instanceof Text && node.data.includes('\u202e')) ||
            [...one.attributes].some(({ name, value }) => name !== 'value' && value.includes('\u202e')),
        )
        .map(({ outerHTML }) => outerHTML),
    );
  await signInAsOwner(page, running, '/people');
  await page.getByRole('row', { name: 'Eve\\u202e' }).waitFor();
  expect(await turned()).toEqual([]);
  await page.getByRole('button', { name: 'Change Eve\\u202e' }).click();
  await page.getByRole('dialog', { name: 'Eve\\u202e' }).waitFor();
  expect(await turned()).toEqual([]);
  for (const [path, row] of [
    ['/access', 'Eve'],
    ['/people?show=keys', 'laptop'],
    ['/people?show=organisations', 'Nova'],
  ] as const) {
    await page.goto(`${running.url}${path}`);
    await page.getByRole('row', { name: `${row}\\u202e` }).waitFor();
    expect(await turned()).toEqual([]);
  }
  await page.getByRole('button', { name: 'Remove Nova\\u202e' }).click();
  await page.getByRole('dialog', { name: 'Remove Nova\\u202e?' }).waitFor();
  expect(await turned()).toEqual([]);
  await page.context().clearCookies();
  await signInWithKey(page, running, key);
  await page.goto(`${running.url}/settings`);
  await page.getByRole('definition').getByText('Eve\\u202e').waitFor();
  expect(await turned()).toEqual([]);
});

it('keeps a form open, however often Escape is pressed, until what it sent is answered', async () => {
  const running = await startTeam();
  await addAcme(running);
  const page = await browser.page(`${running.url}/sign-in`);
  await signInAsOwner(page, running, '/people');
  const answer = Promise.withResolvers<void>();
  await page.route('**/api/v1/users', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    await answer.promise;
    await route.fulfill({ status: 409, json: { error: { code: 'conflict', message: 'There is one.' } } });
  });
  await page.getByRole('button', { name: 'Add a person' }).press('Enter');
  const form = page.getByRole('dialog', { name: 'Add a person' });
  await form.getByLabel('Name').fill('Ben Beech');
  const sent = page.waitForRequest((request) => request.method() === 'POST');
  await page.keyboard.press('Enter');
  await sent;
  for (let pressed = 0; pressed < 6; pressed++) await page.keyboard.press('Escape');
  answer.resolve();
  await form.getByRole('alert').waitFor();
  expect(await page.evaluate(() => document.activeElement?.closest('dialog') !== null)).toBe(true);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Give it up' }).click();
  await form.waitFor({ state: 'detached' });
});

it('asks over the form that is to be given up, however often Escape was pressed', async () => {
  const running = await startTeam();
  await addAcme(running);
  const page = await browser.page(`${running.url}/sign-in`);
  await signInAsOwner(page, running, '/people');
  await page.getByRole('button', { name: 'Add a person' }).press('Enter');
  const form = page.getByRole('dialog', { name: 'Add a person' });
  await form.getByLabel('Name').fill('Ben Beech');
  const question = page.getByRole('dialog', { name: 'Give up what stands here?' });
  // each press asks, or takes the question back
  for (let pressed = 0; pressed < 8; pressed++) {
    await page.keyboard.press('Escape');
    await question.waitFor({ state: pressed % 2 === 0 ? 'visible' : 'detached' });
    const reached = pressed % 2 === 0 ? question : form;
    await expect.poll(() => reached.evaluate((one) => one.contains(document.activeElement))).toBe(true);
  }
  await page.keyboard.press('Escape');
  await question.getByRole('button', { name: 'Give it up' }).click();
  await form.waitFor({ state: 'detached' });
});

it('does not say that nothing was done where the answer was lost on the way', async () => {
  const running = await startTeam();
  await addAcme(running);
  const page = await browser.page(`${running.url}/sign-in`);
  await signInAsOwner(page, running, '/people');
  await page.route('**/api/v1/users', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    await route.fetch();
    await route.abort();
  });
  await page.getByRole('button', { name: 'Add a person' }).press('Enter');
  const form = page.getByRole('dialog', { name: 'Add a person' });
  await form.getByLabel('Name').fill('Ben Beech');
  await page.keyboard.press('Enter');
  await form.getByText('It is not known whether this was done').waitFor();
  expect(await form.getByText('was not saved').count()).toBe(0);
  // the gateway answers again
  await form.getByText('The gateway did not answer.').waitFor();
  // it was, and the list behind the form shows it
  await page.getByRole('row', { name: 'Ben Beech', includeHidden: true }).waitFor({ state: 'attached' });
});
