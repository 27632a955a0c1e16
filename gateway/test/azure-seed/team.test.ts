import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { bootstrap } from '../../src/principals/index.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { ArmDouble } from '../doubles/arm/arm.ts';
import { plain } from './support/connectors.ts';
import { CONSENT, consentAt, linkIn, openArm, openOffice, temporaryFolder } from './support/office.ts';

const OPERATOR = 'operator-token-0123456789';
const TOOL = 'drive_list_files';

let arm: ArmDouble;
let url: string;
/** Keys of an admin, and of a user without any role. */
let keys: { readonly admin: string; readonly user: string };

beforeEach(async () => {
  const folder = await temporaryFolder();
  const store = await openStore(`sqlite:${join(folder, 'team.db')}`);
  const { key, organisation } = await bootstrap(store, {
    organisation: { name: 'Acme' },
    user: { name: 'Ada' },
    defaults: { organisation: { '*': 'read-write' }, user: { '*': 'read-write' } },
  });
  await store.close();
  arm = await openArm({
    connectors: [plain('drive', 'ListFiles')],
    connections: [{ name: 'drive', api: 'drive', status: 'Error' }],
  });
  const one = await openOffice(
    {
      configuration: {
        store: `sqlite:${join(folder, 'team.db')}`,
        auth: { mode: 'team' },
        server: { port: 0, token: OPERATOR },
      },
    },
    arm,
  );
  ({ url } = await one.gateway.listen());
  const made = await post('/api/v1/users', { organisation: organisation.id, name: 'Eve' });
  // she may write, so that it is her missing role that refuses her
  await send('PUT', '/api/v1/access', { scope: 'category:*', level: 'read-write', user: made['id'] });
  const granted = await post('/api/v1/keys', { user: made['id'], name: 'k' });
  keys = { admin: key.key, user: String(granted['key']) };
});

const post = (path: string, body: object) => send('POST', path, body);

async function send(method: string, path: string, body: object): Promise<Record<string, unknown>> {
  const response = await fetch(new URL(path, url), {
    method,
    headers: { authorization: `Bearer ${OPERATOR}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Record<string, unknown>;
}

/** A client with somebody's key; `asked` holds the addresses that it was asked to open. */
async function connect(key: string, elicitation?: { url: Record<string, never> }) {
  const asked: string[] = [];
  const capabilities = elicitation === undefined ? {} : { elicitation };
  const client = new Client({ name: 'member', version: '1' }, { capabilities });
  if (elicitation !== undefined) {
    client.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push((params as { url: string }).url);
      return { action: 'decline' };
    });
  }
  onTestFinished(() => client.close().catch(() => undefined));
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', url), {
      requestInit: { headers: { authorization: `Bearer ${key}` } },
    }),
  );
  return {
    asked,
    async call(name: string, args: Record<string, unknown> = {}) {
      const result = await client.callTool({ name, arguments: args });
      const text = (result.content as { text: string }[]).map((block) => block.text).join('\n');
      return { text, failed: result.isError === true, whole: JSON.stringify(result) };
    },
  };
}

describe('a user who is no admin', () => {
  it('gets no link for a connection that belongs to everybody, but whom to ask', async () => {
    const { call } = await connect(keys.user);
    const { text, failed, whole } = await call(TOOL);
    expect(failed).toBe(true);
    expect(text).toMatch(/^Connection "drive" is not authenticated\.\n\nAn admin /);
    expect(text).toContain('get_consent_link');
    expect(whole).not.toContain(arm.sideUrl);
    expect(arm.requests.filter(({ path }) => path.endsWith('/listConsentLinks'))).toEqual([]);
  });

  it('is asked to open none, whatever the client can', async () => {
    const { call, asked } = await connect(keys.user, { url: {} });
    expect((await call(TOOL)).text).not.toMatch(CONSENT);
    expect(asked).toEqual([]);
  });

  it.each([
    ['get_consent_link', { connectionName: 'drive' }],
    ['put_connection', { apiName: 'drive', connectionName: 'mine' }],
  ])('may not use %s', async (tool, args) => {
    const { call } = await connect(keys.user);
    const { failed, whole } = await call(tool, args);
    expect([failed, whole]).toEqual([true, expect.stringContaining('admin_needed')]);
    expect(arm.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });
});

describe('an admin', () => {
  it('gets the link; after the consent everybody’s calls work', async () => {
    const admin = await connect(keys.admin);
    const { text } = await admin.call(TOOL);
    await consentAt(linkIn(text));
    expect((await admin.call(TOOL)).failed).toBe(false);
    expect((await (await connect(keys.user)).call(TOOL)).failed).toBe(false);
  });

  it('is asked to open it where the client can', async () => {
    const { call, asked } = await connect(keys.admin, { url: {} });
    expect((await call(TOOL)).text).toMatch(CONSENT);
    expect(asked).toHaveLength(1);
  });

  it('gets it by get_consent_link as well', async () => {
    const { call } = await connect(keys.admin);
    const { link } = JSON.parse((await call('get_consent_link', { connectionName: 'drive' })).text);
    await consentAt(link);
    expect((await call(TOOL)).failed).toBe(false);
  });
});
