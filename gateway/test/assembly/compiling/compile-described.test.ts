import { expect, it } from 'vitest';
import { type CompileKey, compileDescribed } from '../../../src/assembly/compiling/compile-described.ts';
import { describeText, openapi } from '../../sources/openapi/describing.ts';

const PATHS = {
  '/pets': {
    get: { operationId: 'listPets', tags: ['pets'] },
    post: { operationId: 'addPet', tags: ['pets'] },
  },
  '/admin/keys': { get: { operationId: 'listKeys' } },
};

/** The document compiled with what its operator says of it. */
async function compiled(said: Partial<CompileKey['source']>) {
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
  return compileDescribed(await describeText(openapi(PATHS)), key);
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
