import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseConfiguration } from '../../../src/config/index.ts';
import { createGateway } from '../../../src/gateway.ts';
import type { GatewayOptions } from '../../../src/gateway-api.ts';
import { bootstrap } from '../../../src/principals/index.ts';
import { removeTree } from '../../../src/skills/frozen/remove-tree.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { startGreenhouse } from '../../doubles/greenhouse.ts';
import { emptySqlite } from '../../store/support/empty-sqlite.ts';
import { checkDescribed } from './described-answers.ts';

type Answer = readonly [
  status: number,
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came
  body: any,
];

/** Somebody who sends requests with a credential; what comes back is as described. */
export type Caller = (method: string, path: string, body?: unknown) => Promise<Answer>;

/**
 * A real gateway for a team on a loopback port: SQLite in a folder of its own, Greenhouse as a loopback double
 * whose key stands in an environment variable, one organisation with its admin.
 */
export async function teamGateway(
  settings: object | ((greenhouse: string) => object) = {},
  options: GatewayOptions = {},
) {
  const folder = await mkdtemp(join(tmpdir(), 'toolcrib-team-'));
  const provider = await startGreenhouse({ rateLimit: { requests: 10_000, windowMs: 1000 } });
  const env = { LOOPBACK_GREENHOUSE_KEY: 'greenhouse-key:' };
  Object.assign(process.env, env);
  const configuration = await parseConfiguration(
    {
      auth: { mode: 'team' },
      store: await emptySqlite(join(folder, 'team.db')),
      stateDirectory: folder,
      policy: { defaults: { organisation: { '*': 'read-write' }, user: { '*': 'read-write' } } },
      server: { token: { env: 'OPERATOR_TOKEN' }, port: 0 },
      sources: { greenhouse: { manifest: 'greenhouse', baseUrl: provider.url } },
      cache: false,
      watch: false,
      ...(typeof settings === 'function' ? settings(provider.url) : settings),
    },
    { baseDirectory: folder, env: { ...env, OPERATOR_TOKEN: 'operator-token' } },
  );
  const store = await openStore(configuration.store);
  const { organisation, user, key } = await bootstrap(store, {
    defaults: configuration.policy.defaults,
    organisation: { name: 'Acme' },
    user: { name: 'Ann' },
  });
  const gateway = await createGateway(configuration, options);
  const { url } = await gateway.listen();
  const as =
    (credential: string | undefined): Caller =>
    async (method, path, body) => {
      const response = await fetch(new URL(path, url), {
        method,
        headers: {
          ...(credential === undefined ? {} : { authorization: `Bearer ${credential}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      const answer = text === '' ? undefined : JSON.parse(text);
      if (answer !== undefined) checkDescribed(method, path, response.status, answer);
      return [response.status, answer];
    };
  return {
    url,
    gateway,
    provider,
    organisation,
    ann: { id: user.id, key: key.key, keyId: key.record.id },
    as,
    admin: as(key.key),
    operator: as('operator-token'),
    /** A user of the organisation with a key of its own. */
    async user(name: string, more: object = {}) {
      const admin = as(key.key);
      const [, made] = await admin('POST', '/api/v1/users', { name, ...more });
      const [, created] = await admin('POST', '/api/v1/keys', { user: made.id, name });
      return {
        id: made.id as string,
        key: created.key as string,
        keyId: created.record.id as string,
        call: as(created.key),
      };
    },
    /** The organisation's Greenhouse account, its credential by reference. */
    async connect() {
      const [status, body] = await as('operator-token')('POST', '/api/v1/connections', {
        organisation: organisation.id,
        source: 'greenhouse',
        credentials: { schemes: { basic: { apiKey: { env: 'LOOPBACK_GREENHOUSE_KEY' } } } },
      });
      if (status !== 201) throw new Error(JSON.stringify(body));
      return body.id as string;
    },
    async [Symbol.asyncDispose]() {
      await gateway.close();
      await store.close();
      await provider.close();
      await removeTree(folder);
    },
  };
}
