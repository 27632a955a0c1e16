import { describe, expect, it } from 'vitest';
import type { Description } from '../../../src/operations/index.ts';
import { active, describeNodes, describeWorkflows, fence, page, sticky, webhook } from './describing.ts';

const INPUT =
  'type: object\nrequired: [order]\nproperties:\n  order: { type: string }\n  note: { type: string }';
const POST = { path: 'orders', httpMethod: 'POST', responseMode: 'lastNode' };

const only = ({ operations }: Description) => {
  expect(operations).toHaveLength(1);
  return operations[0]!;
};

describe('notes', () => {
  it('the note of the node describes it, its blocks say the rest', async () => {
    const notes = [
      'Takes an order and answers with its number.',
      fence('toolcrib', 'access: delete\nidempotent: true\ntimeout: 90\ntitle: Take an order'),
      fence('toolcrib-input', INPUT),
      fence('toolcrib-output', '{"type":"object","properties":{"number":{"type":"integer"}}}'),
    ].join('\n\n');
    const operation = only(await describeNodes([webhook(POST, { notes })]));
    expect(operation).toMatchObject({
      title: 'Take an order',
      description: 'Takes an order and answers with its number.',
      access: 'delete',
      safety: { idempotent: true, destructive: true },
      limits: { timeoutMs: 90_000 },
      input: { properties: { order: { type: 'string' }, note: { type: 'string' } }, required: ['order'] },
      output: { type: 'object', properties: { number: { type: 'integer' } } },
      strictOutput: true,
    });
  });

  it('without any, the workflow speaks for itself', async () => {
    expect(only(await describeNodes([webhook(POST)])).description).toBe('Runs the n8n workflow "Orders".');
    const described = { description: 'Takes orders' };
    expect(only(await describeNodes([webhook(POST)], described)).description).toBe('Takes orders.');
  });

  it('a sticky note that frames a node speaks of that node alone, one that frames none of all', async () => {
    const nodes = [
      webhook({ ...POST, path: 'a' }, { name: 'A', position: [100, 100] }),
      webhook({ ...POST, path: 'b' }, { name: 'B', position: [600, 100] }),
      sticky(fence('toolcrib', 'description: About A.'), {
        position: [50, 50],
        parameters: { content: fence('toolcrib', 'description: About A.'), width: 200, height: 200 },
      }),
      sticky(fence('toolcrib', 'description: About all.\naccess: read')),
    ];
    const { operations } = await describeNodes(nodes);
    expect(operations.map(({ description, access }) => [description, access])).toEqual([
      ['About A.', 'read'],
      ['About all.', 'read'],
    ]);
  });

  it('prose of a sticky note and blocks of other tools are not for us', async () => {
    const operation = only(
      await describeNodes([webhook(POST), sticky('# Orders\n```json\n{"access":1}\n```')]),
    );
    expect(operation).toMatchObject({ access: 'write', description: 'Runs the n8n workflow "Orders".' });
  });

  const broken: readonly [what: string, block: string, says: string][] = [
    ['neither YAML nor JSON', fence('toolcrib-input', '{"type":'), 'neither YAML nor JSON'],
    ['no object', fence('toolcrib-output', '- a'), 'must be an object'],
    ['an unknown access', fence('toolcrib', 'access: reed'), 'access'],
    ['an unknown member', fence('toolcrib', 'acess: delete'), 'acess'],
    ['an unknown block', fence('toolcrib-inputs', 'type: object'), 'toolcrib-inputs'],
    [
      'a reference to elsewhere',
      fence('toolcrib-input', '$ref: https://example.com/a.json'),
      'must lead to #/$defs',
    ],
    [
      'a reference to elsewhere in what it answers',
      fence('toolcrib-output', '{"properties":{"a":{"$ref":"file:///etc/passwd"}}}'),
      'must lead to #/$defs',
    ],
    ['an alias bomb', fence('toolcrib', 'query: &a [x]\ninput: *a'), 'neither YAML nor JSON'],
  ];
  it.each(broken)(
    '%s costs the tool, since nobody knows what it should restrict',
    async (_what, block, says) => {
      const nodes = [
        webhook(POST, { name: 'Bad', notes: block }),
        webhook({ ...POST, path: 'good' }, { name: 'Good' }),
      ];
      const { operations, diagnostics, skipped } = await describeNodes(nodes);
      expect(operations.map(({ id }) => id)).toEqual(['POST /webhook/good']);
      expect(skipped).toMatchObject([{ method: 'POST', path: '/webhook/orders' }]);
      expect(diagnostics).toMatchObject([{ code: 'n8n-annotation-invalid' }]);
      expect(diagnostics[0]!.message).toContain(says);
    },
  );
});

describe('the file beside the configuration', () => {
  const describeWith = (file: string, nodes = [webhook(POST)], workflow: object = {}) =>
    describeWorkflows(
      [page([{ ...active('Orders', nodes, 'w1'), ...workflow }])],
      { schemas: 'flows.yaml' },
      { '/base/flows.yaml': file },
    );

  it.each(['Orders', 'w1'])('speaks of the workflow %s, and wins over notes', async (key) => {
    const nodes = [webhook(POST, { notes: 'From the node.' })];
    const operation = only(
      await describeWith(`${key}: { description: From the file., access: read }`, nodes),
    );
    expect(operation).toMatchObject({ description: 'From the file.', access: 'read' });
  });

  it('speaks of single nodes below `nodes`', async () => {
    const nodes = [
      webhook({ ...POST, path: 'a' }, { name: 'A' }),
      webhook({ ...POST, path: 'b' }, { name: 'B' }),
    ];
    const file = 'Orders:\n  access: read\n  nodes: { B: { access: delete } }';
    const { operations } = await describeWith(file, nodes);
    expect(operations.map(({ access }) => access)).toEqual(['read', 'delete']);
  });

  it('a name that no workflow has is reported', async () => {
    const { diagnostics } = await describeWith('Odrers: { access: read }');
    expect(diagnostics).toMatchObject([{ code: 'n8n-annotation-unused' }]);
    expect(diagnostics[0]!.message).toContain('"Odrers"');
  });

  it('a node that the workflow does not have is reported, since what it restricts is not restricted', async () => {
    const { diagnostics } = await describeWith('Orders: { nodes: { Webhok: { access: delete } } }');
    expect(diagnostics).toMatchObject([{ code: 'n8n-annotation-unused' }]);
    expect(diagnostics[0]!.message).toContain('"Webhok"');
  });

  it('a broken entry costs its workflow', async () => {
    const { operations, diagnostics } = await describeWith('Orders: { access: reed }');
    expect(operations).toEqual([]);
    expect(diagnostics).toMatchObject([{ code: 'n8n-annotation-invalid' }]);
  });

  it.each(['- a', 'a: ['])('a file that is no map cannot be read: %j', async (file) => {
    await expect(describeWith(file)).rejects.toMatchObject({
      code: 'source_invalid',
      location: '/base/flows.yaml',
    });
  });
});

describe('pinned data', () => {
  const pinData = {
    Webhook: [
      {
        json: {
          headers: {},
          params: {},
          query: {},
          body: { order: 'A-7', lines: [{ sku: 'x', count: 2 }], gift: null },
        },
      },
    ],
  };

  it('shows the shape of the body, never its values, and promises nothing', async () => {
    const { input } = only(await describeNodes([webhook(POST)], { pinData }));
    expect(input).toEqual({
      type: 'object',
      properties: {
        body: {
          description: 'The JSON body that the workflow receives.',
          type: 'object',
          properties: {
            order: { type: 'string' },
            lines: {
              type: 'array',
              items: { type: 'object', properties: { sku: { type: 'string' }, count: { type: 'number' } } },
            },
            gift: {},
          },
        },
      },
      additionalProperties: false,
    });
    expect(JSON.stringify(input)).not.toContain('A-7');
  });

  it('is left aside where a schema is declared, or the configuration says so', async () => {
    const declared = only(
      await describeNodes([webhook(POST, { notes: fence('toolcrib-input', INPUT) })], { pinData }),
    );
    expect(Object.keys(declared.input['properties'] as object)).toEqual(['order', 'note']);
    const off = only(await describeNodes([webhook(POST)], { pinData }, { pinnedData: false }));
    expect(off.input).toMatchObject({ properties: { body: { type: 'object' } } });
    expect(JSON.stringify(off.input)).not.toContain('order');
  });
});
