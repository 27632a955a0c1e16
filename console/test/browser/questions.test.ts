import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { FunctionSource, InputRequest } from '../../../gateway/src/index.ts';
import { openBrowser } from './support/chromium.ts';
import { startGateway } from './support/gateway.ts';
import { expectLivable } from './support/page-checks.ts';

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
