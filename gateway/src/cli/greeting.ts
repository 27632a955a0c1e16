import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Configuration } from '../config/index.ts';
import { type PublishedTool, sourceOfKey } from '../operations/index.ts';
import { PACKAGE_FOLDER } from '../version.ts';
import { exampleCall } from './call/example-call.ts';
import { consoleWords, runnable, sourceWords } from './command-line.ts';
import { counted } from './counted.ts';
import type { OpenedGateway } from './open-gateway.ts';
import type { SourceOptions } from './options/source-options.ts';
import { QUICKSTART_CALL } from './quickstart.ts';
import { json, painter, type Terminal } from './terminal/terminal.ts';

export interface Greeted {
  readonly opened: OpenedGateway;
  /** Where it listens. */
  readonly url: string;
  /** The command line, not the configuration, says where. */
  readonly moved: boolean;
  readonly documents: readonly string[];
  readonly options: SourceOptions;
  /** A link that signs the reader in at the console, once. For a terminal alone: it is a secret. */
  readonly signIn?: string;
}

/** Says where a gateway listens and what to do next; with `--json` as one line. */
export function greet({ opened, url, moved, documents, options, signIn }: Greeted, terminal: Terminal): void {
  const { gateway, origin } = opened;
  const { server, auth } = gateway.configuration;
  const reachable = reachableAddress(url);
  const page = consoleAddress(gateway.configuration, url);
  const mcp = new URL('/mcp', reachable).href;
  const entry = clientEntry(gateway.configuration, mcp);
  const { tools, catalog, topologies = [] } = gateway.view();
  const words = exampleOf(origin, tools, gateway.configuration);
  const again = (...rest: string[]) => runnable(terminal, ...rest);
  const sameSources = sourceWords(documents, options);
  const call = words && again('call', ...sameSources, ...words);
  const withKey = `curl -H "Authorization: Bearer $TOOLCRIB_API_KEY" ${new URL('/api/v1/tools', reachable)}`;
  const attempt = auth.mode === 'team' ? withKey : call;
  if (options.json) {
    const facts = { type: 'listening', url, mcp, tools: tools.length, client: entry, try: attempt };
    terminal.out(JSON.stringify({ ...facts, ...(page === undefined ? {} : { console: page }) }));
    return;
  }
  const paint = painter(terminal);
  const sources = catalog.sources.map(({ name, operations }) => `${name} ${operations}`).join(', ');
  const shapes = [...new Set(topologies.map(({ took }) => took))].filter((one) => one !== 'flat');
  const over = `${counted(catalog.entries.length, 'operation')} (${sources})`;
  const what = shapes.length === 0 ? `(${sources})` : `(${shapes.join(', ')}) for ${over}`;
  terminal.out(
    `${paint('bold', `${gateway.name} ${gateway.version}`)} serves ${counted(tools.length, 'tool')} ${what}`,
  );
  terminal.out('');
  terminal.out(`  MCP       ${paint('cyan', mcp)}`);
  if (signIn !== undefined)
    // the note stands on a line of its own: the link alone fills one
    terminal.out(
      `  Console   ${paint('cyan', signIn)}\n            This link signs you in, once, within five minutes.`,
    );
  else if (page !== undefined) {
    const port = moved || server.port === 0 ? new URL(url).port : undefined;
    terminal.out(`  Console   ${page}  (to sign in: \`${again(...consoleWords(options, port))}\`)`);
  }
  terminal.out(`  HTTP API  ${new URL('/api/v1/openapi.json', reachable).href}`);
  if (auth.mode === 'team')
    terminal.out(
      auth.jwt === undefined
        ? '  Callers send `Authorization: Bearer` with an API key; `toolcrib admin bootstrap` makes the first, `admin key add` more.'
        : `  Callers sign in at ${auth.jwt.issuer}, or send \`Authorization: Bearer\` with an API key; \`toolcrib admin user add\` and \`admin key add\` let them.`,
    );
  else if (server.token !== undefined)
    terminal.out('  Callers send `Authorization: Bearer` with the token you set.');
  terminal.out('');
  const connect = again('connect', 'CLIENT', ...sameSources);
  const writes = origin === 'azure' ? '' : ` (or let \`${connect}\` write one)`;
  terminal.out(`Entry for an MCP client${writes}:`);
  terminal.out(indent(json(entry)));
  if (attempt !== undefined) {
    terminal.out('');
    terminal.out('Try a call:');
    terminal.out(`  ${attempt}`);
  }
}

/** The gateway itself, servers that have to start, and programs of skills: not what somebody wants to see first. */
const BESIDE: ReadonlySet<string> = new Set(['self', 'mcp', 'skills']);

/** Undefined where no other command leads to the same sources, or there is nothing harmless to call. */
function exampleOf(
  origin: OpenedGateway['origin'],
  tools: readonly PublishedTool[],
  { sources }: Configuration,
): string[] | undefined {
  if (origin === 'azure') return undefined;
  if (origin === 'quickstart') return QUICKSTART_CALL.split(' ');
  const ofServices = tools.filter(({ operation }) => {
    const kind = operation && sources[sourceOfKey(operation)]?.kind;
    return kind !== undefined && !BESIDE.has(kind);
  });
  return exampleCall(ofServices) ?? exampleCall(tools);
}

/** Where the console is served; undefined where it is switched off, or not built. */
export function consoleAddress({ server }: Configuration, url: string): string | undefined {
  const built = existsSync(join(PACKAGE_FOLDER, 'console', 'index.html'));
  return server.console === false || !built ? undefined : new URL('/', reachableAddress(url)).href;
}

/** An address of all interfaces is none to connect to: from this machine it is localhost. */
function reachableAddress(url: string): string {
  const address = new URL(url);
  if (['0.0.0.0', '[::]'].includes(address.hostname)) address.hostname = 'localhost';
  return address.href;
}

/** The token itself stays out: the reader puts it where the placeholder stands. */
function clientEntry({ name, server, auth }: Configuration, url: string): object {
  const open = server.token === undefined && auth.mode === 'local';
  const headers = open ? {} : { headers: { Authorization: 'Bearer <token>' } };
  return { mcpServers: { [name]: { type: 'http', url, ...headers } } };
}

function indent(text: string): string {
  return text.replace(/^/gm, '  ');
}
