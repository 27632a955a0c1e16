import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfiguration } from '../../src/config/index.ts';
import { isToolcribError, type ToolcribError } from '../../src/errors.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolcrib-broken-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function refusal(text: string | Uint8Array): Promise<ToolcribError> {
  const file = join(folder, 'toolcrib.yaml');
  await writeFile(file, text);
  const env = { HOME: '/home/ada' };
  const outcome = await loadConfiguration({ file, cwd: folder, env }).catch((error: unknown) => error);
  if (!isToolcribError(outcome)) throw new Error(`Expected a refusal, got ${String(outcome)}`);
  return outcome;
}

const SECRET = 'Write { env: NAME }';

describe('a file that would lose what was written', () => {
  it.each<[string, string | Uint8Array, number, RegExp]>([
    ['a tag that is not understood', 'name: a\nserver:\n  token: !env TOKEN\n', 3, /the tag !env is not/],
    [
      'a variable as a shell names it, within braces',
      'name: a\nsources:\n  a: { openapi: a.yaml, credentials: { bearer: ${KEY} } }\n',
      3,
      /\{ env: KEY \} reads it/,
    ],
    ['the same behind a mark', '\ufeffserver: { token: ${A_B} }\n', 1, /\{ env: A_B \} reads it/],
    ['bytes as a value', 'name: !!binary aGVsbG8=\n', 1, /the tag binary is not/],
    ['a key that objects cannot have', 'sources:\n  __proto__: { openapi: x }\n', 2, /named __proto__/],
    ['the same within', 'policy: { skills: { permitted: { __proto__: [a] } } }\n', 1, /named __proto__/],
    ['another encoding', Buffer.from('name: a\nserver: { token: p\xe4ss }\n', 'latin1'), 2, /is no UTF-8/],
    ['UTF-16 without its mark', Buffer.from('name: a\n', 'utf16le'), 1, /has a NUL character/],
    ['a NUL character as its escape', 'name: a\nstore: "sqlite:a\\0b"\n', 2, /has a NUL character/],
    ['a second document', 'name: a\n---\nserver: {}\n', 2, /another document begins here/],
    [
      'an alias without end',
      'sources:\n  a: { manifest: &m { provider: x, operations: [ *m ] } }\n',
      2,
      /\*m stands within what it stands for/,
    ],
    ['an alias of nothing', 'name: a\nserver: *other\n', 2, /\*other stands for nothing/],
    ['a key that is a list', 'name: a\n? [b]\n: c\n', 2, /a key is a text/],
    ['a key without its colon', 'name: a\nserver\n', 2, /lacks the ":"/],
    ['nesting without end', `name: ${'['.repeat(20_000)}`, 1, /nested too deeply/],
  ])('%s', async (_what, text, line, message) => {
    const error = await refusal(text);
    expect(error).toMatchObject({ code: 'configuration_invalid', message: expect.stringMatching(message) });
    expect(error.location).toBe(`${join(folder, 'toolcrib.yaml')}:${line}`);
  });

  it.each(['"${TOKEN:-}"', '${env:TOKEN}', 'Bearer ${TOKEN}', '"%TOKEN%"', '$env:TOKEN', 'env:token'])(
    'a reference is no secret: %s',
    async (token) => {
      const error = await refusal(`server:\n  token: ${token}\n`);
      expect(error.pointer).toBe('#/server/token');
      expect(error.message).toContain(SECRET);
    },
  );

  it.each(['$TOKEN', '"${TOKEN}"', '"%TOKEN%"', 'env:TOKEN', '"TOKEN=x"'])(
    'a variable is named by its name alone, not %s',
    async (name) => {
      for (const key of [
        'server: { token: KEY }',
        'sources: { a: { openapi: x, credentials: { apiKey: KEY } } }',
      ]) {
        const error = await refusal(key.replace('KEY', () => `{ env: ${name} }`));
        expect(error.pointer).toMatch(/\/(?:token|apiKey)\/env$/);
        expect(error.message).toContain('Write the name of the variable alone: { env: NAME }.');
      }
    },
  );

  it('a blank secret is none', async () => {
    expect((await refusal('server: { token: "  " }')).message).toContain('Must not be blank.');
  });
});

describe('a limit that would be none', () => {
  const source = (settings: string) => `sources: { a: { openapi: x, ${settings} } }`;
  it.each([
    ['a timer that would fire at once', source('limits: { timeout: 1000h }'), '/sources/a/limits/timeout'],
    ['one without end', source(`limits: { timeout: ${'9'.repeat(400)}s }`), '/sources/a/limits/timeout'],
    ['one of no time', source('limits: { timeout: 0s }'), '/sources/a/limits/timeout'],
    ['one in milliseconds', 'server: { drain: 3000000000 }', '/server/drain'],
    ['a size of nothing', source('limits: { maxBytes: 0B }'), '/sources/a/limits/maxBytes'],
    ['a size without end', `artifacts: { quota: ${'9'.repeat(400)}GB }`, '/artifacts/quota'],
    ['a window of no time', 'policy: { budgets: [ { calls: 1, window: 0d } ] }', '/policy/budgets/0/window'],
    ['a session without end', `server: { sessions: { idle: ${'9'.repeat(99)}h } }`, '/server/sessions/idle'],
    [
      'a refresh too often',
      'sources: { a: { n8n: { url: http://a.test, apiKey: x, refresh: 0s } } }',
      '/sources/a/n8n/refresh',
    ],
    [
      'isolation by none',
      'sources: { a: { mcp: { command: x, isolation: { mode: none, network: false } } } }',
      '/sources/a/mcp/isolation',
    ],
  ])('%s', async (_what, text, pointer) => {
    expect(await refusal(text)).toMatchObject({ code: 'configuration_invalid', pointer: `#${pointer}` });
  });

  it('a month is a session, and more than ten days a window', async () => {
    const file = join(folder, 'long.yaml');
    const text =
      'server: { sessions: { absolute: 720h } }\npolicy: { budgets: [ { calls: 1, window: 31d } ] }';
    await writeFile(file, text);
    const { server, policy } = await loadConfiguration({ file, cwd: folder, env: {} });
    expect(server.sessions?.absoluteMs).toBe(720 * 3_600_000);
    expect(policy.budgets?.[0]?.windowMs).toBe(31 * 86_400_000);
  });
});

describe('what is said of it', () => {
  it('points at the entry of a name that is a number', async () => {
    const error = await refusal('mcpServers:\n  "0": { command: x }\n  "1": { url: nope }\n');
    expect(error.location).toMatch(/:3$/);
  });

  it('is not more than anybody reads', async () => {
    const error = await refusal(Array.from({ length: 300 }, (_, index) => `k${index}: 1`).join('\n'));
    expect(error.message).toMatch(/^300 problems:/);
    expect(error.message.split('\n')).toHaveLength(52);
    expect(error.message).toMatch(/… and 250 more\.$/);
  });

  it('moves no cursor', async () => {
    expect((await refusal('"a\\e[31mb": 1\n')).message).not.toContain('\u001b');
  });

  it('a preset that there is not is found in the file', async () => {
    const error = await refusal('sources:\n  a:\n    openapi: x\n    preset: crit\n');
    expect(error).toMatchObject({ code: 'configuration_invalid', pointer: '#/sources/a/preset' });
    expect(error.location).toMatch(/:4$/);
  });

  it.each([
    ['consentRedirectUrl: nonsense', /absolute http or https URL/],
    ['consentRedirectUrl: http://elsewhere.test', /http on loopback only/],
  ])('an address of Azure: %s', async (setting, message) => {
    const error = await refusal(
      `sources: { a: { azure: { subscription: s, resourceGroup: r, ${setting} } } }`,
    );
    expect(error.message).toMatch(message);
    expect(error.message).not.toContain('problems');
  });

  it('an address with a port that is none', async () => {
    expect((await refusal('policy: { approvals: { url: "https://a.test:99999" } }')).pointer).toBe(
      '#/policy/approvals/url',
    );
  });

  it.each([
    ['egress: { allow: [ a.test, 10.0.0.0/8 ] }', '#/egress/allow/1'],
    ['egress: { allow: [ "*.corp.test" ] }', '#/egress/allow/0'],
    [
      'egress: { proxy: { url: "http://p.test", bypass: [ .corp.test, "*.corp.test" ] } }',
      '#/egress/proxy/bypass/1',
    ],
    [
      'sources: { a: { web: { scrape: { provider: direct, allow: [ "a b" ] } } } }',
      '#/sources/a/web/scrape/allow/0',
    ],
  ])('a destination that is none: %s', async (text, pointer) => {
    const error = await refusal(text);
    expect(error.pointer).toBe(pointer);
    expect(error.message).toContain('Must be a host, host:port or origin such as');
  });

  it('a provider that there is not', async () => {
    const error = await refusal('sources: { a: { web: { search: { provider: brve } } } }');
    expect(error.message).toContain('There is no provider "brve" for search; there are: brave, searxng');
  });

  it('a field that is none', async () => {
    const retrieve = '{ provider: postgres, table: t, filterFields: [ "a b" ] }';
    const { message } = await refusal(`sources: { a: { web: { retrieve: ${retrieve} } } }`);
    expect(message).toContain('Must be a field');
  });
});
