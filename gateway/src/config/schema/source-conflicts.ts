import { SOURCE_KINDS, type SourceKindName } from '../defaults.ts';

/** A setting that a source of its kind cannot have, by its key. */
export interface Conflict {
  readonly key: string;
  readonly message: string;
}

/** What requests to a service take and a connection to an MCP server does not: it would be lost without a word. */
const BESIDE_MCP: Readonly<Record<string, string>> = {
  baseUrl: 'A server has its address within: mcp: { url: … }.',
  serverVariables: 'A server has its address within, with nothing to fill in: mcp: { url: … }.',
  credentials:
    'A server gets its key within: mcp: { …, headers: … } or mcp: { …, env: … }; it is signed in to by mcp: { …, oauth: … }.',
  headers: 'A server gets them within: mcp: { …, headers: … }.',
  socketPath: 'A server is reached by a command or a url: mcp: { command: … }.',
};

/** Kinds of ours whose calls are requests to one service. */
const REQUESTING: readonly SourceKindName[] = ['openapi', 'manifest'];
const NOT_REQUESTING: readonly string[] = SOURCE_KINDS.filter((kind) => !REQUESTING.includes(kind));

/** Settings of one source that do not go together, whatever each is by itself; `kind` is the one that it names. */
export function sourceConflicts(
  given: Readonly<Record<string, unknown>>,
  kind: string | undefined,
): readonly Conflict[] {
  if (given['mcp'] !== undefined)
    return Object.entries(BESIDE_MCP).flatMap(([key, message]) =>
      given[key] === undefined ? [] : [{ key, message }],
    );
  const message = given['socketPath'] === undefined ? undefined : socketProblem(given, kind);
  return message === undefined ? [] : [{ key: 'socketPath', message }];
}

/** Why a socket cannot be the way to a source, where it cannot. */
function socketProblem(
  { baseUrl, tls, connections }: Readonly<Record<string, unknown>>,
  kind: string | undefined,
): string | undefined {
  if (kind !== undefined && NOT_REQUESTING.includes(kind))
    return `Only sources of kind ${REQUESTING.join(' and ')} are reached through a socket.`;
  if (typeof baseUrl !== 'string' || URL.parse(baseUrl)?.protocol === 'https:')
    return 'Set baseUrl, too, to say host and path as the service knows them: http://localhost, http://localhost/v1.43.';
  if (tls !== undefined) return 'No TLS goes through it: leave out tls.';
  if (connections === 'records')
    return 'What this machine serves is one for all: leave out connections: records.';
  return undefined;
}
