import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createGateway, type EmbedOptions } from '../../src/index.ts';

const SHOP = { openapi: './shop.json', baseUrl: 'https://shop.example' };
const topology = { name: 'readers', shapes: false, publish: () => [] };
const reader = { name: 'advice', extension: 'x-advice', read: () => ({}) };
const kind = { kind: 'folders', config: z.object({}), describe: async () => ({}) };
const tool = { name: 'add', description: 'Adds.', handler: () => 1 };

describe('what a program hands to createGateway', () => {
  it.each<[string, unknown, object, string]>([
    ['no configuration', undefined, {}, 'as an object, not undefined'],
    ['the name of a file', './toolcrib.yaml', {}, 'as an object, not a string'],
    ['a misspelt option', {}, { topologie: [topology] }, '"topologie". Did you mean "topologies"?'],
    ['one topology without a list', {}, { topologies: topology }, '`topologies` takes a list, not an object'],
    [
      'a topology without a name',
      {},
      { topologies: [{ publish: () => [] }] },
      'topologies[0] has no text `name`',
    ],
    ['one that publishes nothing', {}, { topologies: [{ name: 'a' }] }, '(a) has no function `publish`'],
    ['two of one name', {}, { topologies: [topology, topology] }, 'two of the name readers'],
    ['a topology named as one of ours', {}, { topologies: [{ ...topology, name: 'flat' }] }, 'has itself'],
    ['or as one is called, too', {}, { topologies: [{ ...topology, name: 'base_only' }] }, 'has itself'],
    ['a source kind named as one of ours', {}, { sourceKinds: [{ ...kind, kind: 'openapi' }] }, 'has itself'],
    ['a hint reader that reads nothing', {}, { hintReaders: [{ ...reader, read: 1 }] }, 'no function `read`'],
    [
      'a source kind without settings',
      {},
      { sourceKinds: [{ ...kind, config: {} }] },
      'folders has no `config`',
    ],
    ['one that describes nothing', {}, { sourceKinds: [{ kind: 'a' }] }, '(a) has no function `describe`'],
    ['a reranker that does nothing', {}, { reranker: {} }, 'no function `rerank`'],
    [
      'tools that are no list',
      {},
      { functions: { desk: { tools: { add: tool } } } },
      'desk are a list, not an object',
    ],
    [
      'a tool without a handler',
      {},
      { functions: { desk: { tools: [{ ...tool, handler: undefined }] } } },
      'Tool add of the functions desk has no function `handler`',
    ],
    [
      'an access that does not exist',
      {},
      { functions: { desk: { tools: [{ ...tool, access: 'raed' }] } } },
      'has the access "raed": it is one of read, write, delete, dangerous',
    ],
    [
      'functions named as a source',
      { store: 'none', sources: { shop: SHOP } },
      { functions: { shop: { tools: [tool] } } },
      'The functions shop have the name of a source of kind openapi',
    ],
  ])('%s is refused and said', async (_, configuration, options, said) => {
    await expect(createGateway(configuration as never, options as EmbedOptions)).rejects.toMatchObject({
      code: 'configuration_invalid',
      message: expect.stringContaining(said),
    });
  });

  it('what is not there is said, too: a source to read again, a topology to show', async () => {
    const gateway = await createGateway({ store: 'none' }, { functions: { desk: { tools: [tool] } } });
    await using _closed = { [Symbol.asyncDispose]: () => gateway.close() };
    await expect(gateway.refresh('desc')).rejects.toMatchObject({
      code: 'source_unknown',
      message: 'There is no source "desc". Did you mean "desk"?',
    });
    await expect(gateway.refresh('desk')).resolves.toBeUndefined();
    await expect(gateway.reconfigure({ sources: {} } as never)).rejects.toMatchObject({
      code: 'configuration_invalid',
      next: expect.stringContaining('loadConfiguration'),
    });
    expect(() => gateway.surface('hybrids')).toThrow('There is no topology "hybrids"');
    expect(gateway.surface('hybrid').tools.map(({ name }) => name)).toEqual(expect.any(Array));
  });
});
