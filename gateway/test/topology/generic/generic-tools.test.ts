import { describe, expect, it } from 'vitest';
import type { CompletedResult, Json, JsonObject, Operation } from '../../../src/operations/index.ts';
import type { Category, GenericMappings } from '../../../src/topology/generic/category.ts';
import { type GenericProvider, genericTools } from '../../../src/topology/generic/generic-tools.ts';

const CRM: Category = {
  category: 'crm',
  records: {
    contact: {
      list: 'contacts',
      schema: { type: 'object', properties: { id: { type: 'string' } } },
      tools: {
        search: {
          name: 'search_crm_contacts',
          description: 'Finds contacts.',
          access: 'read',
          input: {
            properties: { query: { type: 'string' }, limit: { type: 'integer' }, cursor: { type: 'string' } },
          },
        },
        get: {
          name: 'get_crm_contact',
          description: 'Reads one.',
          access: 'read',
          input: { properties: { id: { type: 'string' } }, required: ['id'] },
        },
        update: {
          name: 'update_crm_contact',
          description: 'Changes one.',
          access: 'write',
          input: { properties: { id: { type: 'string' }, name: { type: 'string' } }, required: ['id'] },
        },
      },
    },
  },
};

const MAPPINGS: GenericMappings = {
  contact: {
    fields: { id: '/id', name: '/name' },
    actions: {
      search: [
        { operation: 'find', when: ['query'], arguments: { q: '{{query}}' }, at: '/found' },
        {
          operation: 'list',
          when: ['cursor'],
          needs: ['cursor', 'token'],
          ignores: ['limit'],
          arguments: {},
        },
        {
          operation: 'list',
          arguments: { size: '{{limit}}', page: '{{cursor}}' },
          at: '/data',
          next: { page: 'number', more: '/more' },
        },
      ],
      get: [{ operation: 'read', arguments: { id: '{{id}}' } }],
      update: [
        {
          operation: 'change',
          arguments: { id: '{{id}}', name: '{{name}}' },
          failure: { at: '/status', equals: 'error', message: '/message' },
        },
      ],
    },
  },
};

const input = { type: 'object', properties: { id: { type: 'integer' }, page: { type: 'integer' } } };
const operation = (id: string) => (): Operation => ({ id, source: 'acme', input }) as unknown as Operation;

function provider(source: string, ids: readonly string[]): GenericProvider {
  return {
    source,
    category: 'crm',
    provider: source.toUpperCase(),
    mappings: MAPPINGS,
    operation: (id) => (ids.includes(id) ? operation(id) : undefined),
  };
}

const ALL = ['find', 'list', 'read', 'change'];
const toolsOf = (...providers: GenericProvider[]) => genericTools([CRM], providers);
const tool = (name: string, ...providers: GenericProvider[]) =>
  toolsOf(...providers).find((one) => one.name === name)!;
const answered = (structured: Json, meta?: JsonObject): CompletedResult => ({
  kind: 'completed',
  content: [],
  structured,
  ...(meta === undefined ? {} : { meta }),
});

describe('which generic tools there are', () => {
  it.each([
    ['all of them', ALL, ['get_crm_contact', 'search_crm_contacts', 'update_crm_contact']],
    [
      'those that only read, for whom may only read',
      ['find', 'list', 'read'],
      ['get_crm_contact', 'search_crm_contacts'],
    ],
    ['one way to search is enough', ['list'], ['search_crm_contacts']],
    ['none', [], []],
  ])('%s', (_case, ids, names) => {
    expect(toolsOf(provider('acme', ids)).map(({ name }) => name)).toEqual(names);
  });

  it('asks for the provider only where there are several that can', () => {
    const one = tool('get_crm_contact', provider('acme', ALL), provider('other', ['list']));
    expect(one.tool.inputSchema).toMatchObject({ required: ['id'], additionalProperties: false });
    const two = tool('get_crm_contact', provider('acme', ALL), provider('other', ALL));
    expect(two.tool.inputSchema.required).toEqual(['id', 'provider']);
    expect(two.tool.inputSchema.properties).toMatchObject({ provider: { enum: ['acme', 'other'] } });
  });

  it('leaves other categories alone', () => {
    expect(toolsOf({ ...provider('acme', ALL), category: 'ats' })).toEqual([]);
  });
});

describe('what a call comes to', () => {
  it.each<[string, string, JsonObject, string, JsonObject]>([
    ['the special way', 'search_crm_contacts', { query: 'ada' }, 'find', { q: 'ada' }],
    ['the ordinary way', 'search_crm_contacts', {}, 'list', {}],
    ['a page', 'search_crm_contacts', { limit: 5, cursor: '3' }, 'list', { size: 5, page: 3 }],
    ['an id in the type of the provider', 'get_crm_contact', { id: '7' }, 'read', { id: 7 }],
  ])('%s', (_case, name, args, id, expected) => {
    const call = tool(name, provider('acme', ALL)).resolve(args);
    expect(call.operation.id).toBe(id);
    expect(call.arguments).toEqual(expected);
  });

  it('refuses what the provider cannot be told, rather than leaving it out', () => {
    expect(() =>
      tool('search_crm_contacts', provider('acme', ALL)).resolve({ query: 'a', limit: 5 }),
    ).toThrow('search_crm_contacts: ACME cannot take limit together with the others.');
  });

  it('refuses a provider that is not connected, and asks where there are several', () => {
    const several = tool('get_crm_contact', provider('acme', ALL), provider('other', ALL));
    expect(() => several.resolve({ id: '1' })).toThrow('name one as provider: acme, other');
    expect(() => several.resolve({ id: '1', provider: 'third' })).toThrow('"third" is not connected');
  });
});

describe('an update that replaces the whole record', () => {
  const keeping: GenericMappings = {
    contact: {
      fields: { id: '/id' },
      actions: {
        update: [
          {
            operation: 'change',
            arguments: { id: '{{id}}', name: '{{name}}', mails: ['{{email}}'] },
            keeps: {
              operation: 'read',
              arguments: { id: '{{id}}' },
              at: '/data',
              fields: { name: '/name', mails: '/mails', place: '/place' },
            },
          },
        ],
      },
    },
  };
  const able = (ids: readonly string[]) => ({ ...provider('acme', ids), mappings: keeping });

  it('reads it first and keeps what is not given', () => {
    const { before } = tool('update_crm_contact', able(ALL)).resolve({ id: '7', email: 'new@b.example' });
    expect(before).toMatchObject({ operation: { id: 'read' }, arguments: { id: 7 } });
    const record = { name: 'Ada', mails: ['old@b.example', 'two@b.example'], place: 'London', secret: 1 };
    expect(before?.complete(answered({ data: record }))).toEqual({
      id: 7,
      name: 'Ada',
      mails: ['new@b.example', 'two@b.example'],
      place: 'London',
    });
  });

  it('is not there for whom may not read', () => {
    expect(toolsOf(able(['change']))).toEqual([]);
  });
});

describe('what comes back', () => {
  it('is a list in the category’s words, with the next page', () => {
    const call = tool('search_crm_contacts', provider('acme', ALL)).resolve({ cursor: '2' });
    const { structured, content } = call.reshape(
      answered({ data: [{ id: 1, name: 'Ada', secret: 'x' }], more: true }),
    );
    expect(structured).toEqual({ contacts: [{ provider: 'acme', id: '1', name: 'Ada' }], nextCursor: '3' });
    expect(content).toEqual([{ type: 'text', text: JSON.stringify(structured) }]);
  });

  it('has no next page when the provider says that there is none', () => {
    const call = tool('search_crm_contacts', provider('acme', ALL)).resolve({});
    expect(call.reshape(answered({ data: [], more: false })).structured).toEqual({ contacts: [] });
  });

  it('is a failure where the provider says so inside a success', () => {
    const call = tool('update_crm_contact', provider('acme', ALL)).resolve({ id: '1', name: 'B' });
    expect(call.reshape(answered({ status: 'error', message: 'locked' }))).toMatchObject({
      error: { code: 'tool_failed', message: 'locked' },
    });
  });

  it('says that strangers wrote it, as the answer did that it was made of, and nothing else of that', () => {
    const label = { untrusted: true, source: 'acme', origin: 'https://acme.example' };
    const meta = { 'toolcrib/untrusted': label, 'toolcrib/headers': { etag: 'x' } };
    const search = tool('search_crm_contacts', provider('acme', ALL)).resolve({});
    const update = tool('update_crm_contact', provider('acme', ALL)).resolve({ id: '1', name: 'B' });
    const found = search.reshape({ ...answered({ data: [] }), meta });
    const refused = update.reshape({ ...answered({ status: 'error', message: 'locked' }), meta });
    for (const result of [found, refused]) expect(result.meta).toEqual({ 'toolcrib/untrusted': label });
    expect(search.reshape(answered({ data: [] }))).not.toHaveProperty('meta');
  });

  it('is the error itself when the call failed', () => {
    const failed: CompletedResult = { ...answered(null), error: { code: 'upstream_status', message: 'no' } };
    const call = tool('get_crm_contact', provider('acme', ALL)).resolve({ id: '1' });
    expect(call.reshape(failed)).toBe(failed);
  });
});
