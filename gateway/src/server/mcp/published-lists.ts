import { createHash } from 'node:crypto';
import { ToolcribError } from '../../errors.ts';
import type { GatewayCore } from '../../gateway-core.ts';
import type { ClientFacts, Principal, PublishedTool, Tool } from '../../operations/index.ts';
import { jsonArray } from './plain/json-array.ts';

/** UTF-8 bytes of JSON that one page of a list may hold. */
const PAGE_BYTES = 4 * 1024 * 1024;

export type ListKind = 'tools' | 'resources' | 'resourceTemplates' | 'prompts';

interface Page {
  /** Parsed when first read, where the tools are kept as text. */
  readonly items: readonly object[];
  /** The items as a JSON array in UTF-8, in pieces. */
  readonly json: readonly Uint8Array[];
  readonly nextCursor?: string;
}

interface Listed {
  readonly item: () => object;
  /** JSON in UTF-8. */
  readonly bytes: Uint8Array;
}

/** One view as it goes on the wire; computed once and shared by everybody who has the same rights. */
export interface PublishedLists {
  /** Throws `cursor_invalid` for a cursor of another catalog, list or view. */
  page(kind: ListKind, cursor: string | undefined): Page;
  tool(name: string): Tool | undefined;
}

/** Lists by view: made once each, gone with their view. */
export function createPublishedLists(
  core: GatewayCore,
  pageBytes: number = PAGE_BYTES,
): (principal: Principal, client?: ClientFacts) => PublishedLists {
  const byView = new WeakMap<View, PublishedLists>();
  return (principal, client) => {
    const view = core.view(principal, client);
    let lists = byView.get(view);
    if (lists === undefined) {
      lists = publish(view, pageBytes);
      byView.set(view, lists);
    }
    return lists;
  };
}

type View = ReturnType<GatewayCore['view']>;

function publish(view: View, pageBytes: number): PublishedLists {
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
      cut[kind] ??= paginate(items[kind](), pageBytes, `${kind} ${view.catalog.hash} ${view.tools.length}`);
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
    const size = item.bytes.byteLength + 1;
    if (size > room && groups.at(-1)!.length > 0) {
      groups.push([]);
      room = pageBytes;
    }
    groups.at(-1)!.push(item);
    room -= size;
  }
  return groups.map((group, index) => {
    const following = groups[index + 1];
    let parsed: readonly object[] | undefined;
    return {
      json: jsonArray(group.map(({ bytes }) => bytes)),
      get items() {
        parsed ??= group.map(({ item }) => item());
        return parsed;
      },
      ...(following === undefined ? {} : { nextCursor: cursorOf(scope, index + 1, following) }),
    };
  });
}

function cursorOf(scope: string, page: number, following: readonly Listed[]): string {
  const hash = createHash('sha256').update(`${scope} ${page} `);
  for (const piece of jsonArray(following.map(({ bytes }) => bytes))) hash.update(piece);
  return hash.digest().subarray(0, 18).toString('base64url');
}

function listedTool(published: PublishedTool): Listed {
  const bytes = published.bytes?.() ?? Buffer.from(published.json?.() ?? JSON.stringify(published.tool));
  return { item: () => published.tool, bytes };
}

function listed<T extends object>(described: T): Listed {
  const {
    source: _source,
    original: _original,
    ...item
  } = described as T & {
    source?: string;
    original?: string;
  };
  return { item: () => item, bytes: Buffer.from(JSON.stringify(item)) };
}
