import { expect, it } from 'vitest';
import { defineFunctions } from '../../../gateway/src/index.ts';
import { openBrowser } from './support/chromium.ts';
import { signInAsOwner, startGateway } from './support/gateway.ts';

const browser = openBrowser();

/** Runs if anybody takes it for more than text, and asks another host if anybody draws it. */
const MARKUP =
  '<img src=x onerror="window.pwned=1"><script>window.pwned=1</script><svg onload="window.pwned=1"><style>@import "http://evil.example/x.css"</style><a href="javascript:window.pwned=1">go</a><iframe src="http://evil.example/"></iframe>{{constructor.constructor("window.pwned=1")()}}';
const LINK = 'javascript:window.pwned=1';
const IMAGE = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="window.pwned=1"/>').toString(
  'base64',
);

const foreign = defineFunctions({
  tools: [
    {
      name: 'read_note',
      description: `Reads. ${MARKUP}`,
      access: 'read',
      input: {
        type: 'object',
        properties: {
          note: { type: 'string', title: MARKUP, description: MARKUP, default: LINK, examples: [MARKUP] },
          [MARKUP]: { type: 'string', enum: [MARKUP, LINK] },
        },
      },
      handler: () => ({
        url: LINK,
        items: [{ [MARKUP]: MARKUP, href: LINK, __proto__: { pwned: 1 }, constructor: MARKUP }],
        image: { type: 'image', mimeType: 'image/svg+xml', data: IMAGE },
      }),
    },
    {
      name: 'ask_note',
      description: MARKUP,
      access: 'read',
      handler: (_args, { channel, inputRequired }) => {
        if (channel.inputResponses !== undefined) return { answers: channel.inputResponses as never };
        const properties = {
          [MARKUP]: { type: 'string', title: MARKUP, description: MARKUP, enum: [MARKUP] },
        };
        const ask = (params: object) =>
          ({ method: 'elicitation/create', params: { message: MARKUP, ...params } }) as never;
        return inputRequired(
          {
            form: ask({ mode: 'form', requestedSchema: { type: 'object', properties } }),
            script: ask({ mode: 'url', url: LINK }),
          },
          'asked',
        );
      },
    },
    {
      name: 'break_note',
      description: MARKUP,
      access: 'read',
      handler: () => {
        throw new Error(MARKUP);
      },
    },
    {
      name: 'burn_note',
      description: MARKUP,
      access: 'delete',
      input: { type: 'object', properties: { note: { type: 'string' }, [MARKUP]: { type: 'string' } } },
      handler: () => ({}),
    },
  ],
});

it('draws what sources, answers, errors and artifacts say as text, on every page', async () => {
  const running = await startGateway({ name: 'acme' }, { functions: { foreign } });
  const { gateway, url } = running;
  const failed = await gateway.call({ tool: 'break_note', arguments: {} });
  expect(failed.kind).toBe('completed');
  await gateway.call({ tool: 'read_note', arguments: { note: MARKUP, [MARKUP]: MARKUP } });
  await gateway.call({ tool: 'burn_note', arguments: { note: MARKUP, [MARKUP]: LINK } });
  const artifacts = await gateway.artifacts();
  const kept = [];
  for (const [mimeType, name] of [
    ['text/html', `${MARKUP}.html`],
    ['image/svg+xml', 'picture.svg'],
    ['application/xhtml+xml', '../../index.html'],
  ] as const) {
    kept.push((await artifacts.put(Buffer.from(MARKUP), { mimeType, name })).id);
  }
  const { events } = (await (await fetch(`${url}/api/v1/events`)).json()) as {
    events: { type: string; call: string; approval?: string }[];
  };
  const calls = events.filter(({ type }) => type === 'call-started').map(({ call }) => call);
  const approvals = events.flatMap(({ type, approval }) => (type === 'approval-requested' ? [approval] : []));
  expect([calls.length, approvals.length]).toEqual([3, 1]);

  const page = await browser.page(url);
  await signInAsOwner(page, running);
  let opened = 0;
  page.on('dialog', () => opened++);
  page.context().on('page', () => opened++);
  for (const path of [
    '/tools',
    ...['read_note', 'break_note', 'burn_note'].map((name) => `/tools/${name}`),
    '/calls',
    ...calls.map((call) => `/calls/${encodeURIComponent(call)}`),
    '/approvals',
    ...approvals.map((id) => `/approvals/${id}`),
    '/artifacts',
    ...kept.map((id) => `/artifacts/${id}`),
    '/sources',
    '/sources/foreign',
    '/tokens',
    `/tools?q=${encodeURIComponent(MARKUP)}`,
    `/calls?q=${encodeURIComponent(MARKUP)}`,
    `/tools/${encodeURIComponent(MARKUP)}`,
    `/sources/${encodeURIComponent(MARKUP)}`,
    `/sign-in?back=${encodeURIComponent('/.//evil.example/')}`,
    `/sign-in?back=${encodeURIComponent(LINK)}`,
  ]) {
    await page.goto(`${url}${path}`);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await expect.poll(() => page.getByText(/^Loading /).count()).toBe(0);
    const found = await page.evaluate(() => ({
      pwned: 'pwned' in window || 'pwned' in Object.prototype,
      frames: document.querySelectorAll('iframe, object, embed').length,
      scripts: [...document.querySelectorAll('script')].filter(({ src }) => !src.startsWith(location.origin))
        .length,
      links: [...document.querySelectorAll('a[href]')].filter(
        (link) => !/^https?:$/.test((link as HTMLAnchorElement).protocol),
      ).length,
    }));
    expect([path, found]).toEqual([path, { pwned: false, frames: 0, scripts: 0, links: 0 }]);
  }
  // a call from the page itself, whose answer is drawn
  await page.goto(`${url}/tools/read_note`);
  await page
    .getByRole('button', { name: /^(Call|Run)/ })
    .first()
    .click();
  await page.getByText('window.pwned=1').first().waitFor();
  // and one that asks: what it says is text, and an address that is none of the web is not opened
  await page.goto(`${url}/tools/ask_note`);
  await page.getByRole('button', { name: 'Call', exact: true }).click();
  await page.getByText('The tool asks you (1 of 2)').waitFor();
  await page.getByRole('button', { name: 'Answer', exact: true }).click();
  await page.getByText('it is not opened from here').waitFor();
  expect(await page.getByRole('button', { name: 'Open the page' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Decline' }).click();
  await page.getByText('decline').waitFor();
  expect(await page.evaluate(() => 'pwned' in window)).toBe(false);
  expect(opened).toBe(0);
});

it('is framed by nobody, and another page of this machine gets nothing done with its session', async () => {
  const running = await startGateway({ name: 'acme' }, { functions: { foreign } });
  const other = await startGateway({ name: 'other' });
  const page = await browser.page(running.url);
  await signInAsOwner(page, running);
  const { csrf } = (await page.evaluate(async () => (await fetch('/api/v1/session')).json())) as {
    csrf: string;
  };
  expect(csrf).toMatch(/^[\w-]{43}$/);
  // the same browser at another port of the same host, where an agent may serve what it likes
  const attacker = await page.context().newPage();
  await attacker.goto(`${other.url}/healthz`);
  const tried = await attacker.evaluate(
    async ([url, token]) => {
      const ask = (path: string, init: RequestInit) =>
        fetch(`${url}${path}`, { credentials: 'include', ...init }).then(
          async (answer) => `${answer.status} ${await answer.text()}`,
          () => 'nothing',
        );
      const form = { method: 'POST', mode: 'no-cors', headers: { 'content-type': 'text/plain' } } as const;
      return [
        await ask('/api/v1/session', {}),
        await ask('/api/v1/sessions', { headers: { 'x-csrf-token': token! } }),
        await ask('/api/v1/sources', { method: 'POST', body: '{}', headers: { 'x-csrf-token': token! } }),
        await ask('/api/v1/session', { ...form, body: '{"token":"x"}' }),
      ];
    },
    [running.url, csrf],
  );
  expect(tried.slice(0, 3)).toEqual(['nothing', 'nothing', 'nothing']);
  expect(tried[3]).not.toContain('csrf');
  expect((await fetch(`${running.url}/`)).headers.get('content-security-policy')).toContain(
    "frame-ancestors 'none'",
  );
});
