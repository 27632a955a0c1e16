import type { Catalog } from '../../catalog/catalog.ts';
import { literalPrefix, templateMatcher } from './match-template.ts';

/** Which sources a caller may read. */
export type Readable = (source: string) => boolean;

/** Whose a resource address is, by what one catalog lists. */
export interface ResourceOwners {
  /**
   * The first readable source that lists the address, else the one whose template says most of it in plain text. A
   * template that names no scheme claims nothing: it would take the addresses of every other source.
   */
  owner(uri: string, readable: Readable): string | undefined;
  templateOwner(uriTemplate: string, readable: Readable): string | undefined;
  /** Whether the source lists the address itself. */
  lists(uri: string, source: string): boolean;
  /** Sources of kind `mcp` that offer resources at all. */
  readonly upstreams: readonly string[];
}

/** RFC 3986 §3.1. */
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;

const known = new WeakMap<Catalog, ResourceOwners>();

/** Made once for each catalog. */
export function resourceOwners(catalog: Catalog): ResourceOwners {
  let owners = known.get(catalog);
  if (owners === undefined) {
    owners = ownersOf(catalog);
    known.set(catalog, owners);
  }
  return owners;
}

function ownersOf({ resources, resourceTemplates, sources }: Catalog): ResourceOwners {
  const exact = new Map<string, string[]>();
  for (const { uri, source } of resources) {
    const claiming = exact.get(uri);
    if (claiming === undefined) exact.set(uri, [source]);
    else claiming.push(source);
  }
  const templates = resourceTemplates
    .map(({ uriTemplate, source }) => ({
      uriTemplate,
      source,
      prefix: literalPrefix(uriTemplate),
      matches: templateMatcher(uriTemplate),
    }))
    .sort((a, b) => b.prefix.length - a.prefix.length);
  const claiming = templates.filter(({ prefix }) => SCHEME.test(prefix));
  const offering = new Set([...resources, ...resourceTemplates].map(({ source }) => source));
  return {
    owner: (uri, readable) =>
      exact.get(uri)?.find(readable) ??
      claiming.find(({ source, matches }) => readable(source) && matches(uri))?.source,
    templateOwner: (uriTemplate, readable) =>
      templates.find((template) => template.uriTemplate === uriTemplate && readable(template.source))?.source,
    lists: (uri, source) => exact.get(uri)?.includes(source) === true,
    upstreams: sources
      .filter(({ kind, name }) => kind === 'mcp' && offering.has(name))
      .map(({ name }) => name),
  };
}
