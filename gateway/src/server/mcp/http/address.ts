import { unknownTopology } from '../../../config/settings/topology.ts';
import type { ClientFacts, Principal } from '../../../operations/index.ts';
import { NARROWEST, type Narrowing, narrowedTo } from '../../../operations/narrowed-principal.ts';
import { nearestName } from '../../../operations/text/nearest-name.ts';
import { printable } from '../../../operations/text/printable.ts';

/** What the address of a client's entry asks for: `/mcp?topology=base&skill=planner`. */
export type ClientWishes = Pick<ClientFacts, 'topology' | 'skill'>;

/** What an address may ask for. */
export interface AddressRules {
  /** By `?topology=`, beside their aliases; absent: anything, and what is unknown says nothing. */
  readonly topologies?: readonly string[];
  /** Why a principal cannot have what is asked for by `?skill=`; absent: what is unknown is none. */
  readonly skillFault?: (principal: Principal, skill: string) => Promise<string | undefined>;
  /** Why a principal cannot have what is asked for by `?source=`; absent: what is unknown is none. */
  readonly sourceFault?: (principal: Principal, sources: readonly string[]) => Promise<string | undefined>;
}

const WORDS: readonly string[] = ['topology', 'skill', 'source', 'maxAccess'];
/** What others call a limit: whoever writes it means to have less. */
const MEANS_ACCESS = /^(?:access|read[-_]?only)$/i;
const MAX_SOURCES = 64;

/**
 * Why the address cannot be served: it names a topology that is not there, a skill or sources that are none for its
 * caller, or a limit that would not count as it is written. Undefined: it can. A session has begun with its skill, and
 * may have chosen another; sources may go while it lasts.
 */
export async function addressFault(
  request: Request,
  principal: Principal,
  { topologies, skillFault, sourceFault }: AddressRules,
): Promise<string | undefined> {
  const query = queryOf(request);
  if (query === undefined) return undefined;
  const topology = query.get('topology') ?? '';
  const fault =
    (topology === '' || topologies === undefined ? undefined : unknownTopology(topology, topologies)) ??
    limitFault(query);
  if (fault !== undefined || request.headers.has('mcp-session-id')) return fault;
  const { sources } = narrowingIn(query);
  const skill = query.get('skill') ?? '';
  return (
    (sources === undefined ? undefined : await sourceFault?.(principal, sources)) ??
    (skill === '' ? undefined : await skillFault?.(principal, skill))
  );
}

export function wishesOf(request: Request | undefined): ClientWishes | undefined {
  const asked = queryOf(request);
  if (asked === undefined) return undefined;
  const topology = asked.get('topology') ?? '';
  const skill = asked.get('skill') ?? '';
  return {
    ...(/^[\w.-]{1,32}$/.test(topology) ? { topology } : {}),
    ...(/^[\w.-]{1,64}$/.test(skill) ? { skill } : {}),
  };
}

/** Who asks, with no more than the address wants: `/mcp?source=github&maxAccess=read`. */
export function askingBy(request: Request, principal: Principal): Principal {
  const query = queryOf(request);
  return query === undefined ? principal : narrowedTo(principal, narrowingIn(query));
}

/** Of addresses without fault. */
function narrowingIn(query: URLSearchParams): Narrowing {
  const sources = query.has('source') ? sourcesIn(query) : undefined;
  const maxAccess = NARROWEST.find((access) => access === query.get('maxAccess'));
  return { ...(sources && { sources }), ...(maxAccess && { maxAccess }) };
}

function sourcesIn(query: URLSearchParams): readonly string[] {
  return sourceNames(query.getAll('source'));
}

/** Names that are repeated, or stand with commas between them. */
export function sourceNames(texts: readonly string[]): readonly string[] {
  const names = texts.flatMap((text) => text.split(','));
  return [...new Set(names.map((name) => name.trim()).filter((name) => name !== ''))];
}

/** A limit that is not understood would leave everything. */
function limitFault(query: URLSearchParams): string | undefined {
  for (const name of query.keys()) {
    if (WORDS.includes(name)) continue;
    const meant = MEANS_ACCESS.test(name) ? 'maxAccess' : nearestName(name, WORDS);
    if (meant !== undefined)
      return `An address takes \`${meant}\`; "${printable(name, 64)}" means nothing there.`;
  }
  const asked = query.getAll('maxAccess');
  if (asked.length > 1 || asked.some((access) => !NARROWEST.some((one) => one === access)))
    return `In an address \`maxAccess\` is ${NARROWEST.join(', ')}, once; not "${printable(asked.join(', '), 64)}".`;
  if (!query.has('source')) return undefined;
  const { length } = sourcesIn(query);
  return length > 0 && length <= MAX_SOURCES
    ? undefined
    : `In an address \`source\` names 1 to ${MAX_SOURCES} sources, with commas between them.`;
}

/** Undefined for most addresses: they ask for nothing. */
function queryOf(request: Request | undefined): URLSearchParams | undefined {
  return request?.url.includes('?') ? URL.parse(request.url)?.searchParams : undefined;
}
