import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApproverToken } from '../../../../src/approvals/index.ts';
import { parseConfiguration } from '../../../../src/config/index.ts';
import { createGateway } from '../../../../src/gateway.ts';
import type { Gateway } from '../../../../src/gateway-api.ts';
import { bootstrap } from '../../../../src/principals/index.ts';
import { createSignInCodes } from '../../../../src/server/http/sessions/sign-in-codes.ts';
import type { FunctionSource } from '../../../../src/sources/function/define.ts';
import { openStore } from '../../../../src/store/open-store.ts';
import { browserAt } from './browser.ts';

export const SERVER_TOKEN = 'the-token-of-the-server';

const functions: Readonly<Record<string, FunctionSource>> = {
  stock: {
    tools: [
      { name: 'count', description: 'Counts.', access: 'read', handler: () => ({ items: 3 }) },
      {
        name: 'remove',
        description: 'Removes an item.',
        access: 'delete',
        input: { type: 'object', properties: { item: { type: 'integer' } } },
        handler: ({ item }) => ({ removed: item ?? null }),
      },
    ],
  },
};

/** A real gateway with a tool that reads and one that a person must agree to, in a folder of its own. */
export async function sessionGateway(mode: 'open' | 'token' | 'team', settings: object = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'toolcrib-sessions-'));
  const { server = {}, ...more } = settings as { server?: object };
  const read = (token: string = SERVER_TOKEN, changed: object = {}) =>
    parseConfiguration(
      {
        stateDirectory: folder,
        store: `sqlite:${join(folder, 'sessions.db')}`,
        auth: { mode: mode === 'team' ? 'team' : 'local' },
        server: { port: 0, ...(mode === 'open' ? {} : { token: { env: 'SERVER_TOKEN' } }), ...server },
        policy: { defaults: { organisation: { '*': 'read-write' }, user: { '*': 'read-write' } } },
        cache: false,
        watch: false,
        ...more,
        ...changed,
      },
      { baseDirectory: folder, env: { SERVER_TOKEN: token } },
    );
  const configuration = await read();
  const gateways: Gateway[] = [];
  let items = 0;
  const open = async (token?: string, changed?: object) => {
    const gateway = await createGateway(await read(token, changed), { functions });
    gateways.push(gateway);
    return { gateway, url: (await gateway.listen()).url };
  };
  const store = mode === 'team' ? await openStore(configuration.store) : undefined;
  const ann =
    store &&
    (await bootstrap(store, {
      defaults: configuration.policy.defaults,
      organisation: { name: 'Acme' },
      user: { name: 'Ann' },
    }));
  const { gateway, url } = await open();
  const as =
    (credential: string | undefined, at = url) =>
    async (method: string, path: string, body?: unknown) => {
      const response = await fetch(new URL(path, at), {
        method,
        headers: {
          ...(credential === undefined ? {} : { authorization: `Bearer ${credential}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return {
        status: response.status,
        headers: response.headers,
        body: text === '' ? undefined : JSON.parse(text),
      };
    };
  return {
    folder,
    url,
    gateway,
    as,
    /** Ann's, who is an admin. */
    annKey: ann?.key.key ?? '',
    annKeyId: ann?.key.record.id ?? '',
    codes: createSignInCodes(folder),
    approverToken: createApproverToken(folder).value,
    /** Another process of the same store and state directory, and maybe with another token or other settings. */
    open,
    browser: () => browserAt(url),
    async owner(at = url) {
      const browser = browserAt(at);
      const { status } = await browser.signIn({ code: await createSignInCodes(folder).create() });
      if (status !== 200) throw new Error(`The owner could not sign in: ${status}`);
      return browser;
    },
    /** A user with a key that calls tools and one that decides. */
    async user(name: string, roles: readonly string[] = [], more: object = {}) {
      const operator = as(SERVER_TOKEN);
      const user = await operator('POST', '/api/v1/users', {
        name,
        organisation: ann?.organisation.id,
        roles,
        ...more,
      });
      const key = await operator('POST', '/api/v1/keys', { user: user.body.id, name });
      const deciding = await operator('POST', '/api/v1/keys', {
        user: user.body.id,
        name,
        purpose: 'approve',
      });
      return {
        id: user.body.id as string,
        key: key.body.key as string,
        keyId: key.body.record.id as string,
        approverKey: deciding.body.key as string,
        approverKeyId: deciding.body.record.id as string,
      };
    },
    /** A call that waits for a person; the id of its approval. */
    async gated(credential?: string): Promise<string> {
      items += 1;
      const { body } = await as(credential)('POST', '/api/v1/tools/remove/call', {
        arguments: { item: items },
      });
      if (body.error?.code !== 'approval_required') throw new Error(JSON.stringify(body));
      const { approvals } = (await as(SERVER_TOKEN)('GET', '/api/v1/approvals?state=pending')).body;
      return approvals.find(({ preview }: { preview: { item: number } }) => preview.item === items).id;
    },
    async [Symbol.asyncDispose]() {
      for (const one of gateways) await one.close();
      await store?.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
