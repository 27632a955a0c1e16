import { createHash } from 'node:crypto';
import type { Catalog } from '../../catalog/catalog.ts';
import { ToolcribError } from '../../errors.ts';
import type { GatewayCore } from '../../gateway-types.ts';
import type { Principal, Tool } from '../../operations/index.ts';

/** UTF-8 bytes of JSON that one page of a list may hold. */
const PAGE_BYTES = 4 * 1024 * 1024;

export type ListKind = 'tools' | 'resources' | 'resourceTemplates' | 'prompts';

interface Page {
  readonly items: readonly object[];
  /** The items as a JSON array. */
  readonly json: string;
  readonly nextCursor?: string;
}

/** What one principal sees of one catalog, as it goes on the wire; computed once and shared by every session. */
export interface PublishedLists {
  /** Throws `cursor_invalid` for a cursor of another catalog, list or principal. */
  page(kind: ListKind, cursor: string | undefined): Page;
  tool(name: string): Tool | undefined;
}

/** Lists by catalog snapshot and principal; a swapped catalog's lists go with it. */
export function createPublishedLists(
  core: GatewayCore,
  pageBytes: number = PAGE_BYTES,
): (principal: Principal) => PublishedLists {
  const byCatalog = new WeakMap<Catalog, Map<string, PublishedLists>>();
  return (principal) => {
    const view = core.view(principal);
    const byPrincipal = byCatalog.get(view.catalog) ?? new Map<string, PublishedLists>();
    byCatalog.set(view.catalog, byPrincipal);
    const key = JSON.stringify([principal.id, principal.kind, principal.maxAccess, ...principal.roles]);
    const lists = byPrincipal.get(key) ?? publish(view, key, pageBytes);
    byPrincipal.set(key, lists);
    return lists;
  };
}

type View = ReturnType<GatewayCore['view']>;

function publish(view: View, principal: string, pageBytes: number): PublishedLists {
  const tools = new Map(view.tools.map(({ tool }) => [tool.name, tool]));
  const items: Record<ListKind, () => readonly object[]> = {
    tools: () => [...tools.values()],
    resources: () => view.resources.map(withoutSource),
    resourceTemplates: () => view.resourceTemplates.map(withoutSource),
    prompts: () => view.prompts.map(withoutSource),
  };
  const cut: Partial<Record<ListKind, readonly Page[]>> = {};
  return {
    tool: (name) => tools.get(name) ?? tools.get(name.replaceAll('.', '_')),
    page(kind, cursor) {
      cut[kind] ??= paginate(items[kind](), pageBytes, `${kind} ${principal} ${view.catalog.hash}`);
      const pages = cut[kind];
      const page =
        cursor === undefined ? pages[0] : pages[pages.findIndex((p) => p.nextCursor === cursor) + 1];
      if (page !== undefined && (cursor === undefined || page !== pages[0])) return page;
      throw new ToolcribError(
        'cursor_invalid',
        'The cursor is not of this list, or the list has changed since.',
      );
    },
  };
}

/** Cursors are digests over what they continue: opaque, and worthless for any other list. */
function paginate(items: readonly object[], pageBytes: number, scope: string): readonly Page[] {
  const groups: { items: object[]; texts: string[] }[] = [{ items: [], texts: [] }];
  let room = pageBytes;
  for (const item of items) {
    const text = JSON.stringify(item);
    const size = Buffer.byteLength(text) + 1;
    if (size > room && groups.at(-1)!.items.length > 0) {
      groups.push({ items: [], texts: [] });
      room = pageBytes;
    }
    groups.at(-1)!.items.push(item);
    groups.at(-1)!.texts.push(text);
    room -= size;
  }
  return groups.map(({ items: page, texts }, index) => {
    const following = groups[index + 1];
    const json = `[${texts.join(',')}]`;
    if (following === undefined) return { items: page, json };
    return { items: page, json, nextCursor: cursorOf(scope, index + 1, following.texts) };
  });
}

function cursorOf(scope: string, page: number, following: readonly string[]): string {
  const digest = createHash('sha256').update(`${scope} ${page} `).update(following.join()).digest();
  return digest.subarray(0, 18).toString('base64url');
}

function withoutSource<T extends object>(item: T): object {
  const { source: _source, ...description } = item as T & { source?: string };
  return description;
}
