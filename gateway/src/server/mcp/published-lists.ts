import { createHash } from 'node:crypto';
import type { Catalog } from '../../catalog/catalog.ts';
import { ToolcribError } from '../../errors.ts';
import type { GatewayCore } from '../../gateway-types.ts';
import type { Principal, PublishedTool, Tool } from '../../operations/index.ts';

/** UTF-8 bytes of JSON that one page of a list may hold. */
const PAGE_BYTES = 4 * 1024 * 1024;

export type ListKind = 'tools' | 'resources' | 'resourceTemplates' | 'prompts';

interface Page {
  /** Parsed when first read, where the tools are kept as text. */
  readonly items: readonly object[];
  /** The items as a JSON array. */
  readonly json: string;
  readonly nextCursor?: string;
}

interface Listed {
  readonly item: () => object;
  readonly text: string;
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
  const tools = new Map(view.tools.map((published) => [published.name, published]));
  const items: Record<ListKind, () => readonly Listed[]> = {
    tools: () => view.tools.map(listedTool),
    resources: () => view.resources.map(listed),
    resourceTemplates: () => view.resourceTemplates.map(listed),
    prompts: () => view.prompts.map(listed),
  };
  const cut: Partial<Record<ListKind, readonly Page[]>> = {};
  return {
    tool: (name) => (tools.get(name) ?? tools.get(name.replaceAll('.', '_')))?.tool,
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
function paginate(items: readonly Listed[], pageBytes: number, scope: string): readonly Page[] {
  const groups: Listed[][] = [[]];
  let room = pageBytes;
  for (const item of items) {
    const size = Buffer.byteLength(item.text) + 1;
    if (size > room && groups.at(-1)!.length > 0) {
      groups.push([]);
      room = pageBytes;
    }
    groups.at(-1)!.push(item);
    room -= size;
  }
  return groups.map((group, index) => {
    const following = groups[index + 1]?.map(({ text }) => text);
    let parsed: readonly object[] | undefined;
    return {
      json: `[${group.map(({ text }) => text).join(',')}]`,
      get items() {
        parsed ??= group.map(({ item }) => item());
        return parsed;
      },
      ...(following === undefined ? {} : { nextCursor: cursorOf(scope, index + 1, following) }),
    };
  });
}

function cursorOf(scope: string, page: number, following: readonly string[]): string {
  const digest = createHash('sha256').update(`${scope} ${page} `).update(following.join()).digest();
  return digest.subarray(0, 18).toString('base64url');
}

function listedTool(published: PublishedTool): Listed {
  return { item: () => published.tool, text: published.json?.() ?? JSON.stringify(published.tool) };
}

function listed<T extends object>(described: T): Listed {
  const { source: _source, ...item } = described as T & { source?: string };
  return { item: () => item, text: JSON.stringify(item) };
}
