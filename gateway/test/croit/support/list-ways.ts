import type { CroitClient, ToolAnswer } from './croit-client.ts';
import type { CroitGateway } from './croit-gateway.ts';

/** What shapes an answer, as properties of a topology's tool. */
export interface Shape {
  readonly filters?: object;
  readonly fields?: readonly string[];
  readonly limit?: number;
  readonly cursor?: string;
  readonly no_optimize?: boolean;
}

/** One way to an operation that lists, through a topology that shapes. */
export interface ListWay {
  readonly name: string;
  list(id: string, args?: object, shape?: Shape): Promise<ToolAnswer>;
}

/** By the tools that take any operation, and by the category tools of the pools. */
export async function listWays(crib: CroitGateway): Promise<readonly ListWay[]> {
  const connect = (topology: string, era: '2025-11-25' | '2026-07-28') => crib.connect({ topology, era });
  const [hybrid, base, categories, search] = await Promise.all([
    connect('hybrid', '2025-11-25'),
    connect('base', '2026-07-28'),
    connect('categories', '2025-11-25'),
    connect('search', '2026-07-28'),
  ]);
  const anyOperation = (client: CroitClient, tool: string, name: string): ListWay['list'] => {
    return (id, args = {}, shape = {}) => client.call(tool, { [name]: id, arguments: args, ...shape });
  };
  return [
    { name: 'hybrid, call_endpoint', list: anyOperation(hybrid!, 'call_endpoint', 'operation') },
    { name: 'hybrid, a category tool', list: pools(hybrid!) },
    { name: 'base', list: anyOperation(base!, 'call_api_endpoint', 'operation') },
    { name: 'categories', list: pools(categories!) },
    { name: 'search', list: anyOperation(search!, 'call_tool', 'name') },
  ];
}

export const POOLS = 'PoolResource_getPools';

function pools(client: CroitClient): ListWay['list'] {
  return (id, args = {}, shape = {}) => {
    if (id !== POOLS) throw new Error(`${id} is not of this category`);
    return client.call('manage_ceph_pools', { action: 'list', action_args: args, ...shape });
  };
}

/** What a shaped list has beside its text. */
export interface ShapedList {
  readonly data?: readonly Record<string, unknown>[];
  readonly summary?: Record<string, unknown>;
  readonly total_count: number;
  readonly returned_count: number;
  readonly response_id?: string;
  readonly next_cursor?: string;
  readonly notes?: readonly string[];
  readonly envelope?: unknown;
}

export function shapedOf({ isError, structured, text }: ToolAnswer): ShapedList {
  if (isError) throw new Error(text);
  return structured as ShapedList;
}
