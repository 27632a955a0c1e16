import { expect, it } from 'vitest';
import { compileDescribed } from '../../../src/assembly/compiling/compile-described.ts';
import type { CompileKey } from '../../../src/assembly/compiling/compile-key.ts';
import { describeText, openapi } from '../../sources/openapi/describing.ts';

const PATHS = {
  '/pets': {
    get: { operationId: 'listPets', tags: ['pets'] },
    post: { operationId: 'addPet', tags: ['pets'] },
  },
  '/admin/keys': { get: { operationId: 'listKeys' } },
};

/** The document compiled with what its operator says of it. */
async function compiled(said: Partial<CompileKey['source']>, more: object = {}) {
  const source = {
    kind: 'openapi',
    prefix: 'none',
    access: [],
    costs: [],
    include: [],
    exclude: [],
    features: [],
    ...said,
  };
  const key = {
    version: '1',
    name: 'shop',
    source: source as unknown as CompileKey['source'],
    output: { schemas: true, strict: false },
    schemaProfile: 'portable',
    baseDirectory: '/',
  } as CompileKey;
  return compileDescribed(await describeText(openapi(PATHS, more)), key);
}

it.each<[string, Partial<CompileKey['source']>, string[], string[]]>([
  ['nothing', {}, ['addPet', 'listKeys', 'listPets'], []],
  ['what to leave out', { exclude: [{ path: '/admin/**' }] }, ['addPet', 'listPets'], ['excluded']],
  ['what to take', { include: [{ tag: 'pets' }] }, ['addPet', 'listPets'], ['not included']],
  [
    'both',
    { include: [{ tag: 'pets' }], exclude: [{ operation: 'addPet' }] },
    ['listPets'],
    ['excluded', 'not included'],
  ],
])('the operator says %s', async (_what, said, names, reasons) => {
  const { tools, skipped, diagnostics } = await compiled(said);
  expect(tools.map(({ name }) => name)).toEqual(names);
  expect(skipped.map(({ reason }) => reason)).toEqual(
    reasons.map((reason) => `${reason} by the configuration`),
  );
  expect(diagnostics).toEqual([]);
});

it('access is what the operator says, by operation, tag or path', async () => {
  const { tools } = await compiled({
    access: [
      { tag: 'pets', access: 'write' },
      { operation: 'addPet', access: 'delete' },
      { path: '/admin/**', access: 'dangerous' },
    ],
  });
  expect(tools.map(({ name, facts }) => [name, facts.access])).toEqual([
    ['addPet', 'delete'],
    ['listPets', 'write'],
  ]);
  expect(tools[0]?.tool.annotations.destructiveHint).toBe(true);
});

it('a selector that matches nothing is told of', async () => {
  const { diagnostics } = await compiled({
    include: [{ tag: 'pets' }, { tag: 'dogs' }],
    exclude: [{ operation: 'addPets' }],
    access: [{ path: '/none', access: 'read' }],
  });
  expect(diagnostics.map(({ code, pointer, source }) => [code, pointer, source])).toEqual([
    ['access-rule-unmatched', '#/access/0', 'shop'],
    ['include-unmatched', '#/include/1', 'shop'],
    ['exclude-unmatched', '#/exclude/0', 'shop'],
  ]);
});

it.each<[string, object, Partial<CompileKey['source']>, RegExp[]]>([
  ['no server', { servers: undefined }, {}, [/^Source shop: The document names no host: name one with/]],
  [
    'a server without a host',
    { servers: [{ url: '/api/v3' }] },
    {},
    [/is not absolute: name one with .*, its path included: https:\/\/HOST\/api\/v3\.$/],
  ],
  ['a base URL instead', { servers: undefined }, { baseUrl: 'https://shop.example' }, []],
  [
    'a server of another protocol',
    { servers: [{ url: 'ftp://shop.example' }] },
    {},
    [/neither http nor https/],
  ],
  [
    'a host that lacks its variable',
    { servers: [{ url: 'https://{tenant}.example' }] },
    {},
    [/has no default/, /needs a value for \{tenant\}: set `serverVariables\.tenant`/],
  ],
  [
    'its variable',
    { servers: [{ url: 'https://{tenant}.example', variables: { tenant: { default: 'a' } } }] },
    { serverVariables: { tenant: 'acme' } },
    [],
  ],
])('%s: where calls would lead nowhere is told of once', async (_what, more, said, messages) => {
  const { diagnostics } = await compiled(said, more);
  expect(diagnostics.map(({ message }) => message)).toEqual(
    messages.map((message) => expect.stringMatching(message)),
  );
});

it('what is left out needs no server', async () => {
  expect((await compiled({ exclude: [{ path: '/**' }] }, { servers: undefined })).diagnostics).toEqual([]);
});
