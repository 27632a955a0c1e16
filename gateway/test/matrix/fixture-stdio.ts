// A fixture server of its own process: node fixture-stdio.ts legacy | modern

import type { Server } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { createFixture } from './fixture-server.ts';

const era = process.argv[2];
const servers = new Set<Server>();
const create = createFixture((what) => {
  for (const server of servers) {
    if (server.transport === undefined) continue;
    if (what === 'tools') void server.sendToolListChanged();
    else void server.sendResourceUpdated({ uri: what.resource });
  }
});
const one = (): Server => {
  const server = create();
  servers.add(server);
  return server;
};

if (era === 'legacy') await one().connect(new StdioServerTransport());
else serveStdio(one, { legacy: 'reject' });
