import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { FunctionSource, InputRequest } from '../../../gateway/src/index.ts';
import { openBrowser } from './support/chromium.ts';
import { startGateway } from './support/gateway.ts';
import { expectLivable } from './support/page-checks.ts';
import { addAcme, signInWithKey } from './support/team.ts';

const browser = openBrowser();
const outcome = (page: Page) => page.getByRole('region', { name: 'Outcome' });

/** Every kind of field that a question may have. */
const WHO: InputRequest = {
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message: 'To whom does it go?\nThey read it at once.',
    requestedSchema: {
      type: 'object',
      required: ['mail', 'channel'],
      properties: {
        mail: { type: 'string', title: 'E-mail address', format: 'email' },
        channel: {
          type: 'string',
          title: 'Channel',
          oneOf: [
            { const: 'm', title: 'By mail' },
            { const: 'p', title: 'By post' },
          ],
        },
        copies: { type: 'integer', title: 'Copies', minimum: 1, maximum: 3, default: 1 },
        urgent: { type: 'boolean', title: 'Urgent' },
        parts: {
          type: 'array',
          title: 'Parts',
          items: {
            anyOf: [
              { const: 'text', title: 'The text' },
              { const: 'pictures', title: 'The pictures' },
            ],
          },
        },
      },
    },
  },
};

const SIGN_IN: InputRequest = {
  method: 'elicitation/create',
  params: { mode: 'url', elicitationId: 'e', message: 'Sign in first.', url: 'http://127.0.0.1:9/sign-in' },
};

const desk = (made: object[]): FunctionSource => ({
  tools: [
    {
      name: 'send_report',
      description: 'Sends a report, once a person has said to whom.',
      access: 'read',
      async handler(_args, { channel, signal }) {
        const { content } = (await channel.ask!(WHO, signal)) as { content?: object };
        if (content === undefined) return { sent: false };
        const page = await channel.ask!(SIGN_IN, signal);
        made.push({ ...content, page });
        return { sent: true };
      },
    },
  ],
});

it('asks what a tool asks: a form that is checked, then a page that is opened', async () => {
  const reports: object[] = [];
  const { url } = await startGateway({ topology: 'flat' }, { functions: { desk: desk(reports) } });
  const page = await browser.page(`${url}/tools/send_report`);
  const opened: string[] = [];
  await page.exposeFunction('noteOpened', (address: string) => opened.push(address));
  await page.evaluate('window.open = (address) => (window.noteOpened(address), null)');
  await page.getByRole('button', { name: 'Call', exact: true }).click();
  await outcome(page).getByText('To whom does it go?').waitFor();
  const call = page.getByRole('button', { name: 'Call', exact: true });
  expect(await call.isDisabled()).toBe(true);
  const answer = outcome(page).getByRole('button', { name: 'Answer', exact: true });
  await answer.click();
  await outcome(page).getByText('An answer is needed.').first().waitFor();
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-invalid')))
    .toBe('true');
  await page.getByLabel('E-mail address (needed)').fill('ada');
  await page.getByLabel('Channel (needed)').selectOption('By post');
  await page.getByLabel('Copies').fill('4');
  await page.getByLabel('The pictures').check();
  await answer.click();
  await outcome(page).getByText('Is no e-mail address.').waitFor();
  await outcome(page).getByText('Takes at most 3.').waitFor();
  await expectLivable(page, 'tool-question');
  expect(reports).toEqual([]);
  await page.getByLabel('E-mail address (needed)').fill('ada@example.com');
  await page.getByLabel('Copies').fill('2');
  await page.keyboard.press('Enter');
  await outcome(page).getByText('Sign in first.').waitFor();
  await outcome(page).getByText('http://127.0.0.1:9/sign-in').waitFor();
  await expectLivable(page, 'tool-page-question');
  expect(opened).toEqual([]);
  await outcome(page).getByRole('button', { name: 'Open the page' }).click();
  await expect.poll(() => outcome(page).innerText()).toContain('sent: true');
  expect(opened).toEqual(['http://127.0.0.1:9/sign-in']);
  expect(reports).toEqual([
    { copies: 2, mail: 'ada@example.com', channel: 'p', parts: ['pictures'], page: { action: 'accept' } },
  ]);
  await call.click();
  await outcome(page).getByRole('button', { name: 'Decline' }).click();
  await expect.poll(() => outcome(page).innerText()).toContain('sent: false');
  await page.getByRole('tab', { name: 'Calls' }).click();
  await expect
    .poll(() => page.getByRole('table', { name: 'Last calls of send_report' }).getByText('done').count())
    .toBe(2);
});

const form = (message: string, properties: object): InputRequest => ({
  method: 'elicitation/create',
  params: { mode: 'form', message, requestedSchema: { type: 'object', properties } as never },
});

/** Asks two things at once, then a third. */
const registry = (made: object[]): FunctionSource => ({
  tools: [
    {
      name: 'register',
      description: 'Registers somebody.',
      access: 'read',
      async handler(_args, { channel, signal }) {
        const answers = await Promise.all([
          channel.ask!(form('Who is it?', { name: { type: 'string', title: 'Name' } }), signal),
          channel.ask!(
            form('Which account?', {
              account: { type: 'string', title: 'Account' },
              pin: { type: 'string', title: 'PIN', format: 'password' },
            }),
            signal,
          ),
        ]);
        made.push(...answers.map((answer) => (answer as { content?: object }).content ?? {}));
        const last = await channel.ask!(
          form('Anything else?', { name: { type: 'string', title: 'Name' } }),
          signal,
        );
        return { last };
      },
    },
  ],
});

it('keeps what was answered while its page is left, but no secret, and nothing once it is answered', async () => {
  const made: object[] = [];
  const { url } = await startGateway({ topology: 'flat' }, { functions: { desk: registry(made) } });
  const page = await browser.page(`${url}/tools/register`);
  const asks = (words: string) => outcome(page).getByText(words).waitFor();
  const away = async () => {
    await page.getByRole('link', { name: 'Usage' }).click();
    await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor();
    await page.goBack();
  };
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await page.getByRole('button', { name: 'Call', exact: true }).click();
  await asks('Who is it?');
  await asks('(1 of 2)');
  await page.getByLabel('Name').fill('Ad');
  await away();
  expect(await page.getByLabel('Name').inputValue()).toBe('Ad');
  await page.getByLabel('Name').fill('Ada');
  await page.keyboard.press('Enter');
  await asks('Which account?');
  // the form that had the focus is gone
  await expect.poll(focused).toBe('The tool asks you (2 of 2)');
  await page.getByLabel('Account').fill('lovelace');
  await page.getByLabel('PIN').fill('1815');
  await away();
  // the first one is answered still
  await asks('Which account?');
  expect(await page.getByLabel('Account').inputValue()).toBe('lovelace');
  expect(await page.getByLabel('PIN').inputValue()).toBe('');
  await page.getByLabel('PIN').fill('1815');
  const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  expect(stored).not.toMatch(/Ada|lovelace|1815/);
  await page.keyboard.press('Enter');
  await asks('Anything else?');
  await expect.poll(focused).toBe('The tool asks you');
  expect(made).toEqual([{ name: 'Ada' }, { account: 'lovelace', pin: '1815' }]);
  // a question of the same name in the next round has nothing of the first
  expect(await page.getByLabel('Name').inputValue()).toBe('');
});

it('asks before the page is closed with answers that are not sent, and shows them to nobody else', async () => {
  const running = await startGateway(
    {
      topology: 'flat',
      auth: { mode: 'team' },
      policy: { defaults: { organisation: { '*': 'read-write' }, user: { '*': 'read-write' } } },
    },
    { functions: { desk: registry([]) } },
  );
  const { key, admin } = await addAcme(running);
  const page = await browser.page(`${running.url}/sign-in`);
  await signInWithKey(page, running, key);
  await page.goto(`${running.url}/tools/register`);
  await page.getByRole('button', { name: 'Call', exact: true }).click();
  await outcome(page).getByText('Who is it?').waitFor();
  // nothing is written yet: nothing would be lost
  const kept = () => page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })));
  expect(await kept()).toBe(false);
  await page.getByLabel('Name').fill('Ada');
  expect(await kept()).toBe(true);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Key or token').fill(admin);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${running.url}/tools/register`);
  await page.getByRole('button', { name: 'Call', exact: true }).waitFor();
  expect(await outcome(page).innerText()).toBe('');
  await page.getByRole('button', { name: 'Call', exact: true }).click();
  await outcome(page).getByText('Who is it?').waitFor();
  expect(await page.getByLabel('Name').inputValue()).toBe('');
});

it('keeps an answer that may not have arrived, to be sent again', async () => {
  const reports: object[] = [];
  const { url } = await startGateway({ topology: 'flat' }, { functions: { desk: desk(reports) } });
  const page = await browser.page(`${url}/tools/send_report`);
  await page.getByRole('button', { name: 'Call', exact: true }).click();
  await page.getByLabel('E-mail address (needed)').fill('ada@example.com');
  await page.getByLabel('Channel (needed)').selectOption('By mail');
  await page.route('**/send_report/call', (route) => route.abort());
  const answer = outcome(page).getByRole('button', { name: 'Answer', exact: true });
  await answer.click();
  await outcome(page).getByText('Whether your answer arrived is not known').waitFor();
  expect(await page.getByLabel('E-mail address (needed)').inputValue()).toBe('ada@example.com');
  await page.unroute('**/send_report/call');
  await answer.click();
  await outcome(page).getByText('Sign in first.').waitFor();
  await outcome(page).getByRole('button', { name: 'Decline' }).click();
  await expect.poll(() => outcome(page).innerText()).toContain('sent: true');
  expect(reports).toEqual([
    { copies: 1, mail: 'ada@example.com', channel: 'm', page: { action: 'decline' } },
  ]);
});
