import { type ConfigurationInput, defineFunctions, type JsonObject } from '../../../../gateway/src/index.ts';
import { type RunningGateway, type StartOptions, startGateway } from './gateway.ts';

export interface Stock extends RunningGateway {
  /** Arguments of every call that was carried out, in order. */
  readonly carriedOut: JsonObject[];
}

const ITEM: JsonObject = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    name: { type: 'string' },
    tags: { type: 'array', items: { type: 'string' } },
  },
  required: ['id'],
  additionalProperties: false,
};

/** A gateway over a stock whose changes wait for a person; callers wait with them. `more`: names of further deletes. */
export async function startStock(
  configuration: ConfigurationInput = {},
  { more = [], ...options }: StartOptions & { readonly more?: readonly string[] } = {},
): Promise<Stock> {
  const carriedOut: JsonObject[] = [];
  const done = (what: string) => (args: JsonObject) => {
    carriedOut.push(args);
    return { what, args };
  };
  const stock = defineFunctions({
    tools: [
      {
        name: 'add_item',
        description: 'Adds an item to the stock.',
        input: ITEM,
        access: 'write',
        handler: done('added'),
      },
      {
        name: 'delete_item',
        description: 'Deletes an item.',
        input: ITEM,
        access: 'delete',
        handler: done('deleted'),
      },
      {
        name: 'count_items',
        description: 'Counts the items.',
        access: 'read',
        handler: () => ({ items: carriedOut.length }),
      },
      {
        name: 'list_items',
        description: 'Lists more items than an answer holds.',
        access: 'read',
        handler: () => ({
          items: Array.from({ length: 5_000 }, (_, id) => ({ id, name: `Item ${id}`, shelf: 'north' })),
        }),
      },
      {
        name: 'break_item',
        description: 'Fails always.',
        access: 'read',
        handler: () => {
          throw new Error('The shelf is gone.');
        },
      },
      ...more.map(
        (name) => ({ name, description: 'Deletes.', access: 'delete', handler: done(name) }) as const,
      ),
    ],
  });
  const running = await startGateway(
    {
      name: 'acme',
      policy: { approvals: { write: 'ask', wait: '1m' } },
      ...configuration,
    },
    { ...options, functions: { stock } },
  );
  return Object.assign(running, { carriedOut });
}
