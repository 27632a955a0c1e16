import { isObject, type Json, type JsonObject } from '../../operations/index.ts';
import { plain } from './page-parameters.ts';

/** What an answer says of the pages behind it. */
export interface PageFacts {
  /** The token that leads on. */
  readonly token?: string;
  /** Id of the last row, where the service says it beside the rows. */
  readonly lastId?: string;
  /** Query of the address that leads on, as text. */
  readonly query?: URLSearchParams;
  /** False: the service says that this was the last page, also by a link to the next one that is null. */
  readonly more?: boolean;
  /** Rows of all pages together. */
  readonly total?: number;
  /** Pages in all. */
  readonly pages?: number;
  /** Rows of every page but the last. */
  readonly size?: number;
}

const TOKENS = [
  'next_cursor',
  'nextCursor',
  'next_page_cursor',
  'nextPageCursor',
  'next_page_token',
  'nextPageToken',
  'NextToken',
  'nextToken',
  'next_token',
  'NextContinuationToken',
  'continuationToken',
  'continuation_token',
  'NextMarker',
  'nextMarker',
  'LastEvaluatedKey',
  '_scroll_id',
  'scroll_id',
  'end_cursor',
  'endCursor',
  'continue',
  'after',
  'cursor',
  'next',
];
const LAST_IDS = ['last_id', 'lastId'];
const LINKS = [
  'nextLink',
  '@odata.nextLink',
  'odata.nextLink',
  'next_page_url',
  'next_url',
  'nextUrl',
  'next_page_uri',
  'next',
];
const MORE = [
  'has_more',
  'hasMore',
  'has_next',
  'hasNext',
  'hasNextPage',
  'has_next_page',
  'IsTruncated',
  'isTruncated',
];
const TOTALS = [
  'total',
  'total_count',
  'totalCount',
  'totalResults',
  'total_results',
  'total_items',
  'totalItems',
  'count_total',
  '@odata.count',
  'totalElements',
  'numberMatched',
];
/** Lists of links, as OGC APIs, STAC, Spring, Oracle's ORDS and FHIR write them: `[{rel: 'next', href}]`. */
const LINK_LISTS = ['links', 'link', '_links'];
const PAGES = ['total_pages', 'totalPages', 'page_count', 'pageCount', 'last_page', 'lastPage'];
/** Rows that every page but the last has. */
const SIZES = ['per_page', 'perPage', 'page_size', 'pageSize', 'items_per_page', 'itemsPerPage'];
/** A page of Spring Data. */
const SPRING = ['number', 'totalElements', 'totalPages'];
/** Where such facts stand beside the rows. */
const PLACES = [
  'pageInfo',
  'page_info',
  'pagination',
  'paging',
  'page',
  'meta',
  'metadata',
  'response_metadata',
  'links',
  '_links',
  'cursors',
  'data',
  'result',
  'response',
];
const MAX_DEPTH = 4;
const MAX_TOKEN = 4096;
const MAX_LINKS = 100;

/** Reads the envelope of a list: the answer without its rows. `from` leads to the rows. */
export function pageFacts(envelope: Json | undefined, from: readonly string[] = []): PageFacts {
  const places = objectsOf(envelope, from);
  const find = <T>(names: readonly string[], read: (value: Json) => T | undefined): T | undefined => {
    for (const place of places) {
      for (const name of names) {
        const value = Object.hasOwn(place, name) ? read(place[name]!) : undefined;
        if (value !== undefined) return value;
      }
    }
    return undefined;
  };
  const known = {
    token: find(TOKENS, tokenOf),
    lastId: find(LAST_IDS, tokenOf),
    query: find(LINKS, queryOf) ?? find(LINK_LISTS, listedQueryOf),
    more: find(MORE, (value) => (typeof value === 'boolean' ? value : undefined)),
    total: find(TOTALS, countOf),
    pages: find(PAGES, countOf),
  };
  const facts = Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined));
  const size = find(SIZES, countOf);
  const sized = size === undefined ? {} : { size };
  // whatever else is known says it better
  if (Object.keys(facts).length > 0) return { ...facts, ...sized };
  const isEnd = places.some((place) =>
    LINKS.some((name) => Object.hasOwn(place, name) && place[name] === null),
  );
  return isEnd ? { more: false } : sized;
}

/** The page that an answer says it is, by the name of the argument or as Spring says it. */
export function saidPage(
  envelope: Json | undefined,
  from: readonly string[] | undefined,
  argument: string,
): number | undefined {
  const wanted = plain(argument);
  for (const place of objectsOf(envelope, from ?? [])) {
    for (const [name, value] of Object.entries(place)) {
      const said = plain(name) === wanted ? countOf(value) : undefined;
      if (said !== undefined) return said;
    }
  }
  return springPage(envelope, from);
}

/** `number` of a page of Spring Data: it counts from 0, as its arguments do where nobody has set them otherwise. */
export function springPage(
  envelope: Json | undefined,
  from: readonly string[] | undefined,
): number | undefined {
  const place = objectsOf(envelope, from ?? []).find((one) =>
    SPRING.every((name) => Object.hasOwn(one, name)),
  );
  return place === undefined ? undefined : countOf(place['number']!);
}

/** The envelope and what lies on the way to its rows, with the places that speak of pages; nearest to the rows first. */
function objectsOf(envelope: Json | undefined, from: readonly string[]): readonly JsonObject[] {
  const found: JsonObject[] = [];
  const visit = (value: Json | undefined, names: readonly string[], depth: number): void => {
    if (!isObject(value) || depth > MAX_DEPTH) return;
    const [name, ...rest] = names;
    if (name !== undefined && Object.hasOwn(value, name)) visit(value[name], rest, depth + 1);
    found.push(value);
    for (const place of PLACES)
      if (place !== name && Object.hasOwn(value, place)) visit(value[place], [], depth + 1);
  };
  visit(envelope, from, 0);
  return found;
}

function tokenOf(value: Json): string | undefined {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  if (typeof value !== 'string' || value === '' || value.length > MAX_TOKEN) return undefined;
  return isAddress(value) ? undefined : value;
}

/** An address as text, or within `{href}`. */
function queryOf(value: Json): URLSearchParams | undefined {
  const address = isObject(value) ? value['href'] : value;
  if (typeof address !== 'string' || address.length > 4 * MAX_TOKEN || !isAddress(address)) return undefined;
  const at = address.indexOf('?');
  return at < 0 ? undefined : new URLSearchParams(address.slice(at + 1).replace(/#.*$/s, ''));
}

/** Of a list of links the one that leads on; FHIR calls its members `relation` and `url`. */
function listedQueryOf(value: Json): URLSearchParams | undefined {
  if (!Array.isArray(value)) return undefined;
  const next = value
    .slice(0, MAX_LINKS)
    .find((link) => isObject(link) && (link['rel'] ?? link['relation']) === 'next');
  return isObject(next) ? queryOf(next['href'] ?? next['url'] ?? null) : undefined;
}

function isAddress(text: string): boolean {
  return /^(?:https?:\/\/|\/|\?)/i.test(text);
}

function countOf(value: Json): number | undefined {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}
