import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

export const SOURCE = 'acme';
export const TOOL = 'acme_get_item';
/** Users below this place in their organisation may write too: what they see is another list. */
const WRITERS_OF_TEN = 3;
const OPERATOR = Object.freeze({ id: 'local', kind: 'local', maxAccess: 'delete', roles: [] });

/** What the upstream knows an organisation by. */
export const tokenOf = (organisation) => `token-of-organisation-${organisation}`;
const variableOf = (organisation) => `LOAD_TOKEN_${organisation}`;

export function tokensOf(organisations) {
  return Object.fromEntries(
    Array.from({ length: organisations }, (_, index) => [variableOf(index), tokenOf(index)]),
  );
}

/**
 * A folder with the configuration of one gateway and a provider's manifest: 20 operations that read and 10 that write.
 * `mode` is `team` or `local`; the local one uses the first organisation's account.
 */
export function writeConfiguration(folder, { store, mode, upstream, rateLimit }) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'acme.json'), JSON.stringify(manifest(upstream, rateLimit)));
  const file = join(folder, 'toolcrib.json');
  const source = { manifest: './acme.json', baseUrl: upstream, limits: { concurrency: 64 } };
  const credentials = { apiKey: { env: variableOf(0) } };
  const configuration = {
    store,
    stateDirectory: './state',
    auth: { mode },
    server: { port: 0 },
    sources: { [SOURCE]: mode === 'team' ? source : { ...source, credentials } },
  };
  writeFileSync(file, JSON.stringify(configuration));
  return file;
}

/**
 * Fills an empty store: users spread over organisations, each with a key and a level; each organisation with its role,
 * its levels and an account of its own. Answers with the users.
 */
export async function seedTeam(toolcrib, store, { users, organisations }) {
  const { directory, close } = await openDirectory(toolcrib, store);
  const each = Array.from(
    { length: organisations },
    (_, index) =>
      Math.floor(((index + 1) * users) / organisations) - Math.floor((index * users) / organisations),
  );
  const seeded = [];
  const waiting = each.map((count, index) => ({ count, index }));
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      seeded.push(...(await seedOrganisation(directory, next.index, next.count)));
  };
  try {
    await Promise.all(Array.from({ length: store.startsWith('sqlite') ? 1 : 4 }, worker));
  } finally {
    await close();
  }
  return seeded;
}

/** Changes a level that nothing depends on, `each` times a second, in one organisation after the other. */
export function changeLevels({ toolcrib, store, users, each }) {
  const names = [...new Set(users.map(({ organisationId }) => organisationId))];
  let stopped = false;
  const changing = (async () => {
    const { directory, close } = await openDirectory(toolcrib, store);
    for (let turn = 0; !stopped; turn++) {
      const level = turn % 2 === 0 ? 'read-only' : 'read-write';
      await directory.levels.set(OPERATOR, {
        organisation: names[turn % names.length],
        scope: 'category:other',
        level,
      });
      await setTimeout(1000 / each);
    }
    await close();
  })();
  changing.catch(() => undefined);
  return async () => {
    stopped = true;
    await changing;
  };
}

async function openDirectory(toolcrib, store) {
  const part = (path) => import(pathToFileURL(join(dirname(toolcrib), '../dist', path)).href);
  const [{ openStore }, { createDirectory }] = await Promise.all([
    part('store/open-store.js'),
    part('principals/index.js'),
  ]);
  const opened = await openStore(store);
  const directory = createDirectory({
    store: opened,
    sources: () => ({ [SOURCE]: { category: 'crm', connections: 'records' } }),
    defaults: { organisation: { '*': 'read-write' }, user: { '*': 'read-only' } },
  });
  return { directory, close: () => opened.close() };
}

async function seedOrganisation(directory, index, count) {
  const id = `org-${index}-${randomBytes(4).toString('hex')}`;
  await directory.organisations.create(OPERATOR, { id, name: `Organisation ${index}` });
  await directory.roles.set(OPERATOR, { organisation: id, name: `team-${index}`, permissions: [] });
  await directory.connections.create(OPERATOR, {
    organisation: id,
    source: SOURCE,
    credentials: { apiKey: { env: variableOf(index) } },
  });
  const users = [];
  for (let place = 0; place < count; place++) {
    const user = await directory.users.create(OPERATOR, {
      organisation: id,
      name: `User ${place}`,
      roles: [`team-${index}`],
    });
    if (place % 10 < WRITERS_OF_TEN) {
      const level = { organisation: id, user: user.id, scope: 'category:crm', level: 'read-write' };
      await directory.levels.set(OPERATOR, level);
    }
    const { key } = await directory.keys.create(OPERATOR, { user: user.id, name: 'load' });
    users.push({
      key,
      organisation: index,
      organisationId: id,
      tools: place % 10 < WRITERS_OF_TEN ? 30 : 20,
    });
  }
  return users;
}

function manifest(upstream, rateLimit) {
  const id = { type: 'integer', minimum: 0, required: true, description: 'The number of the item.' };
  const verbose = { type: 'boolean', description: 'With everything that is known of it.' };
  const fields = { type: 'array', items: { type: 'string' }, description: 'Only these fields.' };
  const reading = Array.from({ length: 19 }, (_, index) => ({
    id: `list_part_${index}`,
    method: 'GET',
    path: `/parts/${index}/{id}`,
    access: 'read',
    description: `Lists part ${index} of an item, newest first. Use it to see what changed and when.`,
    params: { id, verbose, fields },
  }));
  const writing = Array.from({ length: 10 }, (_, index) => ({
    id: `update_part_${index}`,
    method: 'POST',
    path: `/parts/${index}/{id}`,
    access: 'write',
    description: `Changes part ${index} of an item. Members that are not given stay as they are.`,
    params: { id },
    body: { name: { type: 'string', description: 'Shown to people.' }, fields },
  }));
  return {
    provider: SOURCE,
    displayName: 'Acme',
    category: 'crm',
    baseUrl: upstream,
    apiVersion: 'v1',
    auth: { type: 'api-key', headerName: 'X-Token' },
    ...(rateLimit === undefined ? {} : { rateLimit }),
    operations: [
      {
        id: 'get_item',
        method: 'GET',
        path: '/items/{id}',
        access: 'read',
        description: 'Reads one item.',
        params: { id, verbose },
      },
      ...reading,
      ...writing,
    ],
  };
}
