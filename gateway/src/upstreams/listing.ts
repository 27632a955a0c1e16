import { isToolcribError, ToolcribError } from '../errors.ts';
import {
  isObject,
  type Json,
  type JsonObject,
  type MissingList,
  type PromptDescription,
  type ResourceDescription,
  type ResourceTemplateDescription,
} from '../operations/index.ts';
import { isShallow } from '../operations/json/is-shallow.ts';
import { printable } from '../operations/text/printable.ts';
import { trimEndOf } from '../operations/text/trim-runs.ts';
import { parameterHeaders } from './parameter-headers.ts';
import type { Session } from './session/session.ts';
import { ServerError, SessionError } from './session/session-error.ts';
import type { SessionFacts } from './session/session-facts.ts';
import type { UpstreamListing, UpstreamTool } from './upstreams.ts';

/** Bounds of one list; a server beyond them is refused, not cut. */
const BOUNDS = { pages: 500, items: 20_000, characters: 32 * 1024 * 1024 };
const METHOD_UNKNOWN = -32601;
/** An invalid parameter: what a server answers to a cursor that is none of its own (MCP pagination). */
const CURSOR_UNKNOWN = -32602;
const MAX_SAID = 300;
/** How long tools wait for the other lists where nothing was listed before, milliseconds. */
export const GRACE_MS = 3_000;

export interface ListTerms {
  readonly signal: AbortSignal;
  readonly deadline: number;
  /** The other lists have so long from the tools on; absent: half of the time there is. */
  readonly graceMs?: number;
}

/**
 * Everything that the server offers, all pages. A list that the server refuses, leaves open or that cannot be used is
 * missing; of tools it costs all: `upstream_failed` beyond the bounds or for a list that is none.
 */
export async function listEverything(
  session: Session,
  name: string,
  isHttp: boolean,
  { graceMs, ...terms }: ListTerms,
): Promise<UpstreamListing> {
  const { facts } = session;
  const has = (capability: string) => facts.capabilities[capability] !== undefined;
  const list = async (
    capability: string,
    method: string,
    member: string,
    within = terms,
  ): Promise<JsonObject[]> => (has(capability) ? await allPages(session, name, method, member, within) : []);
  const missing: MissingList[] = [];
  // where such a list never comes, the tools are offered without it
  const grace = new AbortController();
  const soon = {
    signal: AbortSignal.any([terms.signal, grace.signal]),
    deadline: (Date.now() + terms.deadline) / 2,
  };
  const listIfAnswered = (capability: string, method: string, member: MissingList['list']) =>
    list(capability, method, member, soon).catch((error: unknown): JsonObject[] => {
      const why = whyMissing(error, method);
      if (why === undefined) throw error;
      missing.push({ list: member, why });
      return [];
    });
  const others = Promise.all([
    listIfAnswered('resources', 'resources/list', 'resources'),
    listIfAnswered('resources', 'resources/templates/list', 'resourceTemplates'),
    listIfAnswered('prompts', 'prompts/list', 'prompts'),
  ]);
  let timer: NodeJS.Timeout | undefined;
  const listTools = async () => {
    const listed = await list('tools', 'tools/list', 'tools');
    const end = () => grace.abort(new DOMException('The grace is over.', 'TimeoutError'));
    if (graceMs !== undefined) timer = setTimeout(end, graceMs);
    return listed;
  };
  const [tools, [resources, templates, prompts]] = await Promise.all([listTools(), others]).finally(() =>
    clearTimeout(timer),
  );
  const mirrors = isHttp && facts.era === 'modern';
  const isUsable = ({ inputSchema }: UpstreamTool) => !mirrors || parameterHeaders(inputSchema) !== undefined;
  const named = tools.filter(isNamed).map(toolOf);
  const leftOut = named.filter((tool) => !isUsable(tool)).map(({ name: tool }) => tool);
  return {
    tools: named.filter(isUsable),
    resources: addressed(resources, 'uri') as unknown as ResourceDescription[],
    resourceTemplates: addressed(templates, 'uriTemplate') as unknown as ResourceTemplateDescription[],
    prompts: prompts.filter(isNamed) as unknown as PromptDescription[],
    ...(missing.length === 0 ? {} : { missing }),
    ...(leftOut.length === 0 ? {} : { leftOut }),
    server: facts.server,
    era: facts.era,
    capabilities: facts.capabilities,
    ...(facts.instructions === undefined ? {} : { instructions: facts.instructions }),
  };
}

/** Why this list is missing, a sentence without its end; undefined where it is the connection that failed. */
function whyMissing(error: unknown, method: string): string | undefined {
  if (error instanceof ServerError)
    return `The server answers ${method} with error ${error.code}: "${printable(error.message, MAX_SAID)}"`;
  if (isToolcribError(error)) return trimEndOf(error.message, '.');
  if (!(error instanceof SessionError)) return undefined;
  if (error.kind === 'malformed') return `The server answers ${method} with what is no result`;
  return error.kind === 'deadline' ? `The server leaves ${method} without an answer` : undefined;
}

async function allPages(
  session: Session,
  name: string,
  method: string,
  member: string,
  terms: { readonly signal: AbortSignal; readonly deadline: number },
): Promise<JsonObject[]> {
  const items: JsonObject[] = [];
  const cursors = new Set<string>();
  let characters = 0;
  let cursor: string | undefined;
  let first: string | undefined;
  do {
    const page = await session
      .request(method, cursor === undefined ? {} : { cursor }, terms)
      .catch((error) => {
        const code = error instanceof ServerError ? error.code : undefined;
        // a capability is declared for a group of methods, of which a server may lack one; half a list is none
        if (cursor === undefined && code === METHOD_UNKNOWN) return { [member]: [] };
        if (cursor === '' && code === CURSOR_UNKNOWN) return { [member]: [], nextCursor: '' };
        throw error;
      });
    const found: Json | undefined = page[member];
    if (!Array.isArray(found)) throw refused(name, method, `its answer has no ${member}`);
    const usable = found.filter(isObject).map(withoutDepths);
    const text = JSON.stringify(usable);
    first ??= text;
    if (cursor === '' && meansEnd(page, text, first)) return items;
    characters += text.length;
    items.push(...usable);
    cursor = nextOf(page, session.facts.era);
    if (cursor !== undefined && cursors.has(cursor)) throw refused(name, method, 'its pages go in a circle');
    if (cursor !== undefined) cursors.add(cursor);
    if (cursors.size >= BOUNDS.pages) throw refused(name, method, `it has more than ${BOUNDS.pages} pages`);
    if (items.length > BOUNDS.items) throw refused(name, method, `it has more than ${BOUNDS.items} entries`);
    if (characters > BOUNDS.characters)
      throw refused(name, method, `it is larger than ${BOUNDS.characters} characters`);
  } while (cursor !== undefined);
  return items;
}

/** An empty cursor is one as any other since 2026-07-28 (pagination); before, servers mean the end by it. */
function nextOf({ nextCursor }: JsonObject, era: SessionFacts['era']): string | undefined {
  if (typeof nextCursor !== 'string') return undefined;
  return nextCursor === '' && era === 'legacy' ? undefined : nextCursor;
}

/** Whether a server still means the end by an empty cursor, by the page that it has behind it. */
function meansEnd({ nextCursor }: JsonObject, page: string, first: string): boolean {
  return page === first || (page === '[]' && nextCursor === '');
}

/** What is nested beyond measure is left out; a tool without its schema takes any arguments. */
function withoutDepths(item: JsonObject): JsonObject {
  const members = Object.entries(item);
  const shallow = members.filter(([, value]) => isShallow(value));
  return shallow.length === members.length ? item : Object.fromEntries(shallow);
}

function refused(name: string, method: string, why: string): ToolcribError {
  return new ToolcribError('upstream_failed', `The answer of "${name}" to ${method} cannot be used: ${why}.`);
}

function isNamed(item: JsonObject): boolean {
  return typeof item['name'] === 'string' && item['name'] !== '';
}

/** What has an address can be read; servers of mcp-lite give a template no name, and clients refuse lists of such. */
function addressed(items: readonly JsonObject[], key: string): JsonObject[] {
  return items
    .filter((item) => typeof item[key] === 'string')
    .map((item) => (isNamed(item) ? item : { ...item, name: item[key] as string }));
}

function toolOf(item: JsonObject): UpstreamTool {
  const { inputSchema } = item;
  return {
    ...item,
    inputSchema: isObject(inputSchema) ? inputSchema : { type: 'object' },
  } as unknown as UpstreamTool;
}
