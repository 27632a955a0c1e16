import { randomUUID } from 'node:crypto';
import type { Server } from '@modelcontextprotocol/server';
import type { GatewayCore } from '../../gateway-core.ts';
import { directChannel } from './call-channel.ts';
import { clientFacts, type ListListeners } from './client-facts.ts';
import { dismissUnanswered } from './dismiss-unanswered.ts';
import { callsOf, handleCalls, routeOf } from './handle-calls.ts';
import { handleConnection } from './handle-connection.ts';
import { handleLists } from './handle-lists.ts';
import { handlePrompts, handleResources } from './handle-reads.ts';
import type { CallRoute, Envelope } from './plain/plain-call.ts';
import { createPublishedLists } from './published-lists.ts';
import { SdkServer } from './sdk-server.ts';
import { handleSkills, SKILLS_CAPABILITY } from './skills-extension.ts';
import { handleTasks, TASKS_CAPABILITY } from './tasks/handle-tasks.ts';
import type { EndpointState, McpSession, Translation } from './translation.ts';

/** Lists change by notice; a client that listens to none asks again after a minute. */
const LIST_HINT = { ttlMs: 60_000, cacheScope: 'private' } as const;
const READ_HINT = { ttlMs: 0, cacheScope: 'private' } as const;

/** What serves clients, with the SDK and without it. */
export interface McpServers {
  create(session: McpSession): Server;
  /** How plain calls go that come in a request of their own, with this envelope. */
  stateless(session: McpSession, envelope: Envelope): CallRoute;
}

/** What every server of one endpoint shares, with computed lists. */
export function createMcpServers(core: GatewayCore, endpoint: EndpointState): McpServers {
  const published = createPublishedLists(core);
  return {
    create: (session) => createMcpServer({ core, session, ...endpoint }, published),
    stateless(session, envelope) {
      const client = clientOf(session, undefined, UNKNOWN_SERVER, endpoint.listeners);
      const lists = (own: Envelope) => published(session.principal, client(own));
      const calls = callsOf({ core, session, client }, lists, undefined);
      return routeOf({ core, session, held: endpoint.held }, calls, envelope, () =>
        directChannel(undefined, envelope, undefined),
      );
    },
  };
}

/** Since 2026-07-28 a client says who it is in each request. */
const UNKNOWN_SERVER: Pick<Server, 'getClientVersion'> = { getClientVersion: () => undefined };

function clientOf(
  session: McpSession,
  id: string | undefined,
  server: Pick<Server, 'getClientVersion'>,
  listeners: ListListeners,
): Translation['client'] {
  return (envelope) => {
    const { principal, stays, wishes } = session;
    return clientFacts(server, envelope, { principal, stays, id, wishes }, listeners);
  };
}

type PublishedListsOf = ReturnType<typeof createPublishedLists>;

/** The low-level SDK server of one client: it translates, the core decides. */
function createMcpServer(parts: Omit<Translation, 'server' | 'client'>, published: PublishedListsOf): Server {
  const { core, session, states, listeners } = parts;
  const tasks = session.era === 'modern' && core.tasks?.policy() !== undefined ? core.tasks : undefined;
  const extensions = {
    ...(core.skillEntries === undefined ? {} : SKILLS_CAPABILITY),
    ...(tasks === undefined ? {} : TASKS_CAPABILITY),
  };
  const server = new SdkServer(
    { name: core.name, version: core.version },
    {
      capabilities: {
        tools: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        prompts: { listChanged: true },
        completions: {},
        logging: {},
        ...(Object.keys(extensions).length === 0 ? {} : { extensions }),
      },
      cacheHints: {
        // a client that calls use_skill is to see its tools now, though it follows no changes
        'tools/list': core.skillEntries === undefined ? LIST_HINT : READ_HINT,
        'resources/list': LIST_HINT,
        'resources/templates/list': LIST_HINT,
        'prompts/list': LIST_HINT,
        'resources/read': READ_HINT,
      },
      requestState: { verify: states.verify },
    },
  );
  if (session.era === 'legacy') dismissUnanswered(server);
  const id = session.stays ? randomUUID() : undefined;
  const client = clientOf(session, id, server, listeners);
  const lists = (envelope: Envelope) => published(session.principal, client(envelope));
  const context: Translation = { ...parts, server, client };
  handleLists(context, lists);
  handleCalls(context, lists, id);
  handleResources(context, id);
  handlePrompts(context, id);
  if (core.skillEntries !== undefined)
    handleSkills(server, core.skillEntries, session.principal, session.era);
  if (tasks !== undefined) handleTasks(server, tasks, session.principal, id);
  if (session.stays) handleConnection(context);
  return server;
}
