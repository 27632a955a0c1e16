import type { Template } from './template.ts';

/** A source kind that reads a small list of endpoints, with its test. */
export const sourceTemplate: Template = (name) => ({
  'source.ts': code(name),
  'source.test.ts': test(name),
  'README.md': guide(name),
});

function code(name: string): string {
  return `import { createHash } from 'node:crypto';
import { isAbsolute, join } from 'node:path';
import type { Description, Operation, SourceContext, SourceKind } from 'toolcrib';
import { z } from 'zod';

const settings = z.strictObject({ file: z.string().min(1).describe('JSON list of endpoints.') });

const endpoints = z.array(
  z.strictObject({
    id: z.string().min(1),
    description: z.string().min(1),
    url: z.url(),
    query: z.array(z.string()).default([]),
  }),
);

/** \`${name}: { file: ./endpoints.json }\` becomes one reading tool for each endpoint of the list. */
const kind: SourceKind<z.infer<typeof settings>> = {
  kind: '${name}',
  config: settings,
  async describe({ file }, { name: source, baseDirectory, reader, signal }) {
    // the reader remembers what was read: the file is watched, and its tools change with it
    const bytes = await reader.read(isAbsolute(file) ? file : join(baseDirectory, file), signal);
    const listed = endpoints.parse(JSON.parse(new TextDecoder().decode(bytes)));
    return { ...EMPTY, fingerprint: fingerprint(bytes), operations: listed.map((one) => operationOf(one, source)) };
  },
};
export default kind;

function operationOf({ id, description, url, query }: z.infer<typeof endpoints>[number], source: string): Operation {
  const { origin, pathname } = new URL(url);
  return {
    id,
    source,
    description,
    input: {
      type: 'object',
      properties: Object.fromEntries(query.map((one) => [one, { type: 'string' }])),
      additionalProperties: false,
    },
    access: 'read',
    tags: [],
    safety: { network: true, file: false, destructive: false, idempotent: true, openWorld: true },
    invocation: {
      kind: 'http',
      method: 'GET',
      path: pathname,
      servers: [{ url: origin }],
      bindings: query.map((one) => ({ arg: one, in: 'query', name: one })),
      accept: ['application/json'],
      security: [],
    },
  };
}

const EMPTY: Omit<Description, 'fingerprint'> = {
  operations: [],
  skipped: [],
  resources: [],
  resourceTemplates: [],
  prompts: [],
  securitySchemes: {},
  components: {},
  diagnostics: [],
};

function fingerprint(bytes: Uint8Array): string {
  return \`sha256:\${createHash('sha256').update(bytes).digest('hex')}\`;
}
`;
}

function test(name: string): string {
  return `import assert from 'node:assert/strict';
import { test } from 'node:test';
import kind from './source.ts';

const LIST = [{ id: 'find', description: 'Finds.', url: 'https://api.example.com/v1/find', query: ['q'] }];

const describe = (value: unknown) => {
  const read = async () => new TextEncoder().encode(JSON.stringify(value));
  const context = { name: 'mine', baseDirectory: '/', reader: { read }, signal: new AbortController().signal };
  return kind.describe({ file: 'endpoints.json' }, context);
};

test('every endpoint is an operation of this source', async () => {
  const { operations, fingerprint } = await describe(LIST);
  assert.match(fingerprint, /^sha256:[0-9a-f]{64}$/);
  assert.deepEqual(operations.map(({ id, source, access }) => [id, source, access]), [['find', 'mine', 'read']]);
});

test('a list that cannot be read is refused', async () => {
  await assert.rejects(describe([{ id: 'find' }]));
});

test('settings are checked before anything is read', () => {
  assert.equal(kind.config.safeParse({ path: 'endpoints.json' }).success, false);
  assert.equal(kind.kind, '${name}');
});
`;
}

function guide(name: string): string {
  return `# Source kind ${name}

\`source.ts\` describes operations; the gateway compiles, checks and calls them like those of any other source.

    toolcrib lint . --run-tests

It is used by a program that embeds the gateway:

    import { createGateway } from 'toolcrib';
    import kind from './source.ts';

    const gateway = await createGateway(
      { sources: { mine: { ${/^[a-z]+$/.test(name) ? name : `'${name}'`}: { file: './endpoints.json' } } } },
      { sourceKinds: [kind] },
    );
`;
}
