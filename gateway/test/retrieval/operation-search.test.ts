import { describe, expect, it } from 'vitest';
import type { OperationHit, OperationQuery } from '../../src/operations/index.ts';
import { fitsIntent } from '../../src/operations/intent.ts';
import {
  createOperationSearch,
  createSearchIndex,
  documentOf,
  type OperationSearchOptions,
} from '../../src/retrieval/index.ts';
import { visible } from './operations.ts';

const ALL = [
  visible('addPet', 'Adds a pet.', { access: 'write', method: 'POST', path: '/pets', tags: ['pets'] }),
  visible('deletePet', 'Deletes a pet.', {
    access: 'delete',
    method: 'DELETE',
    path: '/pets/{id}',
    tags: ['pets'],
  }),
  visible('findPets', 'Finds pets.', { method: 'POST', path: '/pets/search', tags: ['pets'] }),
  visible('getPet', 'One pet.', { method: 'GET', path: '/pets/{id}', tags: ['pets'] }),
  visible('listOwners', 'Owners of a pet.', {
    source: 'people',
    method: 'GET',
    path: '/owners',
    tags: ['owners'],
  }),
  visible('putPet', 'Replaces a pet.', {
    access: 'write',
    method: 'PUT',
    path: '/pets/{id}',
    tags: ['pets'],
  }),
];
const index = createSearchIndex([{ source: 'shop', stamp: 1, documents: () => ALL.map(documentOf) }]);

async function names(query: OperationQuery, operations = ALL, options: OperationSearchOptions = {}) {
  const hits = await createOperationSearch(index, operations, options).search(query);
  return hits.map(({ operation }) => operation.name);
}

describe('a search over operations', () => {
  it.each([
    ['sign in', 'customerLogin'],
    ['Log in as a customer', 'customerLogin'],
    ['signing out', 'customerLogout'],
    ['sign-up', 'registerCustomer'],
  ])('finds what names write in one word: %s', async (text, expected) => {
    const auth = [
      visible('customerLogin', 'Customer login.', { method: 'POST', path: '/auth', tags: [] }),
      visible('customerLogout', 'Customer logout.', { method: 'DELETE', path: '/auth', tags: [] }),
      visible('registerCustomer', 'New customer.', { method: 'POST', path: '/customers', tags: [] }),
      visible('customerAddress', 'Address of a customer.', { method: 'GET', path: '/address', tags: [] }),
    ];
    const documents = () => auth.map(documentOf);
    const search = createOperationSearch(createSearchIndex([{ source: 'shop', stamp: 1, documents }]), auth);
    const [first] = await search.search({ text });
    expect(first?.operation.name).toBe(expected);
  });

  it('finds none that the set does not hold, however well it fits', async () => {
    const few = ALL.filter(({ name }) => name !== 'deletePet');
    expect(await names({ text: 'delete pet' })).toContain('deletePet');
    expect(await names({ text: 'delete pet' }, few)).not.toContain('deletePet');
    expect(await names({ text: 'delete pet' }, [])).toEqual([]);
  });

  it('lists what passes the filters in the order of the set, where no text is given', async () => {
    expect(await names({})).toEqual(ALL.map(({ name }) => name));
    expect(await names({ text: '  ', limit: 2 })).toEqual(['addPet', 'deletePet']);
  });

  it.each<[OperationQuery, string[]]>([
    [{ intent: 'read' }, ['findPets', 'getPet', 'listOwners']],
    [{ intent: 'write' }, ['addPet', 'putPet']],
    [{ intent: 'create' }, ['addPet']],
    [{ intent: 'update' }, ['putPet']],
    [{ intent: 'delete' }, ['deletePet']],
    [{ intent: 'manage' }, ['addPet', 'deletePet', 'putPet']],
    [{ source: 'people' }, ['listOwners']],
    [{ category: 'owners' }, ['listOwners']],
    [{ method: 'post' }, ['addPet', 'findPets']],
    [{ method: 'POST', intent: 'read' }, ['findPets']],
    [{ source: 'nobody' }, []],
  ])('filters by %j, with and without text', async (query, expected) => {
    expect(await names(query)).toEqual(expected);
    expect((await names({ ...query, text: 'pet' })).toSorted()).toEqual(expected);
  });

  it('asks the topology what belongs to a category', async () => {
    const inCategory = ({ name }: { name: string }, category: string) => name.startsWith(category);
    expect(await names({ category: 'get' }, ALL, { inCategory })).toEqual(['getPet']);
  });

  it.each([
    [undefined, 8],
    [3, 3],
    [0, 1],
    [-5, 1],
    [2.9, 2],
    [1e9, 100],
    [Number.NaN, 8],
  ])('with limit %j gives at most %j', async (limit, count) => {
    const many = Array.from({ length: 150 }, (_, at) => visible(`op${at}`, 'Widget.'));
    const all = createSearchIndex([{ source: 'shop', stamp: 1, documents: () => many.map(documentOf) }]);
    const query = { text: 'widgets', ...(limit === undefined ? {} : { limit }) };
    expect(await createOperationSearch(all, many).search(query)).toHaveLength(count);
    expect(await createOperationSearch(all, many).search({ ...query, text: '' })).toHaveLength(count);
  });

  it('ends with its signal', async () => {
    const ended = createOperationSearch(index, ALL).search({ text: 'pet' }, AbortSignal.abort());
    await expect(ended).rejects.toThrow('aborted');
  });
});

describe('a reranker', () => {
  const ranked = async (
    rerank: (query: string, hits: readonly OperationHit[]) => readonly OperationHit[],
  ) => {
    const errors: unknown[] = [];
    const reranker = { rerank: async (query: string, hits: readonly OperationHit[]) => rerank(query, hits) };
    const options = { reranker, onError: (error: unknown) => errors.push(error) };
    return { found: await names({ text: 'pet', limit: 3 }, ALL, options), errors };
  };

  it('brings hits beyond the limit to the top', async () => {
    const before = await names({ text: 'pet', limit: 6 });
    const { found } = await ranked((_, hits) => hits.toReversed());
    expect(found).toEqual(before.toReversed().slice(0, 3));
  });

  it('that fails leaves the order by words', async () => {
    const { found, errors } = await ranked(() => {
      throw new Error('down');
    });
    expect(found).toEqual(await names({ text: 'pet', limit: 3 }));
    expect(errors).toEqual([new Error('down')]);
  });

  it('gets as many as it wants, and those that are asked for', async () => {
    const given: number[] = [];
    const rerank = async (_query: string, hits: readonly OperationHit[]) => {
      given.push(hits.length);
      return hits;
    };
    for (const [depth, limit] of [
      [4, 2],
      [2, 4],
    ] as const)
      expect(await names({ text: 'pet', limit }, ALL, { reranker: { rerank, depth } })).toHaveLength(limit);
    expect(given).toEqual([4, 4]);
  });

  it('ends with the signal of who asked, and that is no failure of its own', async () => {
    const errors: unknown[] = [];
    const leaving = new AbortController();
    const reranker = {
      rerank: async () => {
        leaving.abort(new Error('gone'));
        throw new Error('down');
      },
    };
    const options = { reranker, onError: (error: unknown) => errors.push(error) };
    const search = createOperationSearch(index, ALL, options).search({ text: 'pet' }, leaving.signal);
    await expect(search).rejects.toThrow('gone');
    expect(errors).toEqual([]);
  });

  it('can neither hide nor add an operation', async () => {
    const stranger = { operation: visible('stranger', 'pet'), score: 9 };
    const { found } = await ranked((_, hits) => [stranger, hits[2]!, hits[2]!]);
    expect(found).toHaveLength(3);
    expect(found).not.toContain('stranger');
    expect(new Set(found).size).toBe(3);
  });
});

describe('what is searched of an operation', () => {
  it('comes from its tool and its facts; the operation is not read', () => {
    const operation = visible('getPool', 'One pool.', {
      method: 'GET',
      path: '/pools/{id}',
      tags: ['pools'],
      title: 'Pool',
      purpose: 'Look at a pool.',
      properties: {
        id: { type: 'string', description: 'Its id' },
        body: { type: 'object', properties: { size: { type: 'integer', description: 'Bytes' } } },
        odd: true,
      },
    });
    expect(documentOf(operation)).toEqual({
      key: 'shop/getPool',
      name: 'getPool',
      title: 'Pool',
      description: 'One pool.',
      path: '/pools/{id}',
      method: 'GET',
      effect: 'reads',
      tags: ['pools'],
      parameters: Object.assign(Object.create(null), { id: 'Its id', body: '', size: 'Bytes', odd: '' }),
      hints: 'Look at a pool.',
    });
  });
});

describe('intents', () => {
  it.each([
    ['assignTicket', 'POST', 'update', true],
    ['assignTicket', 'POST', 'create', false],
    ['tickets', 'POST', 'create', true],
    ['tickets', 'POST', 'update', true],
    ['createOrUpdateTicket', 'PUT', 'create', true],
    ['createOrUpdateTicket', 'PUT', 'update', true],
    ['startServer', 'POST', 'create', false],
  ] as const)('%s by %s is %s: %j', (name, method, intent, fits) => {
    expect(fitsIntent(visible(name, '', { access: 'write', method }).facts, intent)).toBe(fits);
  });
});
