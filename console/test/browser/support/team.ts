import type { Page } from 'playwright-core';
import { createDurableEvents } from '../../../../gateway/src/events/durable-events.ts';
import { type ConfigurationInput, defineTool } from '../../../../gateway/src/index.ts';
import { LOCAL_PRINCIPAL } from '../../../../gateway/src/operations/index.ts';
import type { Directory } from '../../../../gateway/src/principals/directory/directory.ts';
import { createDirectory } from '../../../../gateway/src/principals/index.ts';
import { openStore } from '../../../../gateway/src/store/open-store.ts';
import { type RunningGateway, type StartOptions, startGateway } from './gateway.ts';

const tool = (name: string, access: 'read' | 'write' | 'delete' | 'dangerous', description: string) =>
  defineTool({ name, access, description, handler: () => ({ done: name }) });

/** Two sources with operations of every access. */
const FUNCTIONS = {
  desk: {
    tools: [
      tool('list_tickets', 'read', 'Lists tickets.'),
      tool('get_ticket', 'read', 'Reads a ticket.'),
      tool('answer_ticket', 'write', 'Answers a ticket.'),
      tool('delete_ticket', 'delete', 'Removes a ticket.'),
      tool('purge_desk', 'dangerous', 'Removes everything.'),
    ],
  },
  calendar: {
    tools: [tool('list_events', 'read', 'Lists events.'), tool('add_event', 'write', 'Adds an event.')],
  },
};

/** A gateway for a team over sources of functions; nobody belongs to it yet. */
export function startTeam({ policy }: Pick<ConfigurationInput, 'policy'> = {}): Promise<RunningGateway> {
  return startGateway(
    {
      name: 'acme',
      auth: { mode: 'team' },
      policy: { defaults: { organisation: { '*': 'read-write' }, user: { '*': 'read-write' } }, ...policy },
    },
    { functions: FUNCTIONS },
  );
}

/** The same without a team. */
export function startAlone(options: StartOptions = {}): Promise<RunningGateway> {
  return startGateway({ name: 'acme' }, { functions: FUNCTIONS, ...options });
}

/** The records of the gateway, as another process of its store writes them; `told`: with the events of it, as commands do. */
export async function withDirectory<T>(
  { folder }: RunningGateway,
  work: (directory: Directory) => Promise<T>,
  told = false,
): Promise<T> {
  const store = await openStore(`sqlite:${folder}/toolcrib.db`);
  const events = told ? createDurableEvents({ store, recover: false }) : undefined;
  try {
    const levels = { '*': 'read-write' } as const;
    return await work(
      createDirectory({
        store,
        ...(events === undefined ? {} : { record: async (event) => void (await events.append(event)) }),
        defaults: { organisation: levels, user: levels },
        sources: () => ({
          desk: { category: 'api', connections: 'shared', whenUnauthenticated: 'hide' },
          calendar: { category: 'api', connections: 'shared', whenUnauthenticated: 'hide' },
        }),
      }),
    );
  } finally {
    await events?.close();
    await store.close();
  }
}

/** Acme with its admin Ann and the users Ben and Cleo; Ben's key. */
export async function addAcme(running: RunningGateway) {
  return withDirectory(running, async ({ organisations, users, roles, keys }) => {
    const by = LOCAL_PRINCIPAL;
    await organisations.create(by, { id: 'acme', name: 'Acme' });
    await roles.set(by, { organisation: 'acme', name: 'support', permissions: ['tickets'] });
    await users.create(by, { id: 'ann', organisation: 'acme', name: 'Ann Alder', roles: ['admin'] });
    await users.create(by, { id: 'ben', organisation: 'acme', name: 'Ben Birch', roles: ['support'] });
    await users.create(by, { id: 'cleo', organisation: 'acme', name: 'Cleo Cedar' });
    const { key } = await keys.create(by, { user: 'ben', name: 'laptop' });
    const { key: admin } = await keys.create(by, { user: 'ann', name: 'desk' });
    return { key, admin };
  });
}

/** Signs a page in with a key, as the page Sign in does. */
export async function signInWithKey(page: Page, { url }: RunningGateway, key: string): Promise<void> {
  const response = await page.request.post(`${url}/api/v1/session`, {
    data: { token: key },
    headers: { origin: url },
  });
  if (!response.ok()) throw new Error(await response.text());
}
