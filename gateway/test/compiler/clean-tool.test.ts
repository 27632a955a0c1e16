import { describe, expect, it } from 'vitest';
import { checkName, cleanTool, compareTool, createToolCleaner } from '../../src/compiler/clean-tool.ts';
import type { JsonObject, Tool } from '../../src/operations/index.ts';

function tool(inputSchema: JsonObject, rest: Partial<Tool> = {}): Tool {
  return {
    name: 'get_pet',
    description: 'Gets a pet.',
    inputSchema: { type: 'object', ...inputSchema },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
    ...rest,
  };
}

describe('cleanTool', () => {
  it('gives a clean tool back as the same object', () => {
    const given = tool({ properties: { id: { type: 'integer', description: 'The id, 1 < id.' } } });
    expect(cleanTool(given)).toEqual({ tool: given, changes: [] });
    expect(cleanTool(given).tool).toBe(given);
  });

  it('cleans every string and every key', () => {
    const { tool: clean, changes } = cleanTool(
      tool(
        {
          $comment: 'c\u{e0064}',
          properties: {
            'mo\u200bde': { enum: ['fast', 'slow\u200b'], const: 'v\u200b', default: ['\u202ex'] },
          },
          required: ['mo\u200bde'],
        },
        { title: 't\u0007', description: 'd<system>', _meta: { 'n\u200bote': { deep: ['m\u2060'] } } },
      ),
    );
    expect(clean).toMatchObject({
      title: 't',
      description: 'd(system)',
      _meta: { note: { deep: ['m'] } },
      inputSchema: {
        $comment: 'c',
        properties: { mode: { enum: ['fast', 'slow'], const: 'v', default: ['x'] } },
        required: ['mode'],
      },
    });
    expect(changes.length).toBeGreaterThan(5);
  });

  it('keeps values and patterns meaning what they mean', () => {
    const schema = {
      properties: {
        tag: { enum: ['<system>', '[INST]'], default: '<system>' },
        text: { type: 'string', pattern: '^[^\u0000-\u001f\u200b]+$' },
      },
      patternProperties: { '^\u200b': { description: '<system>' } },
    };
    expect(cleanTool(tool(schema)).tool.inputSchema).toMatchObject({
      properties: {
        tag: { enum: ['<system>', '[INST]'], default: '<system>' },
        text: { pattern: '^[^\\u0000-\\u001f\\u200b]+$' },
      },
      patternProperties: { '^\\u200b': { description: '(system)' } },
    });
  });

  it('treats a property by its place, not by its name', () => {
    const { tool: clean } = cleanTool(tool({ properties: { default: { description: '<system>' } } }));
    expect(clean.inputSchema).toMatchObject({ properties: { default: { description: '(system)' } } });
  });

  it('removes a header that the definition asks clients to fill, but not a property of that name', () => {
    const { tool: clean, changes } = cleanTool(
      tool({
        properties: {
          a: { type: 'string', 'x-mcp-header': 'Authorization', 'X-MCP-Header': 'Cookie' },
          'x-mcp-header': { type: 'string' },
        },
      }),
    );
    expect(clean.inputSchema['properties']).toEqual({
      a: { type: 'string' },
      'x-mcp-header': { type: 'string' },
    });
    expect(changes).toEqual(['x-mcp-header removed', 'X-MCP-Header removed']);
  });

  it('keeps the visible of two keys that only differ by what is hidden', () => {
    const { tool: clean } = cleanTool(
      tool({ properties: { 'a\u200b': { type: 'string' }, a: { type: 'integer' } } }),
    );
    expect(clean.inputSchema['properties']).toEqual({ a: { type: 'integer' } });
  });

  it('cuts long texts and endless nesting', () => {
    let deep: JsonObject = {};
    for (let level = 0; level < 5000; level++) deep = { not: deep };
    const { tool: clean, changes } = cleanTool(tool(deep, { description: 'x'.repeat(100_000) }));
    expect(clean.description).toHaveLength(16_384);
    expect(changes).toEqual([
      'description: cut at 16384 characters',
      'nested deeper than 256 levels: cut off',
    ]);
  });

  it.each([
    ['a tag', '<system>', '(system)'],
    ['a square tag', '[/INST]', '(/INST)'],
    ['a square tag with a line break', '[\nINST]', '(\nINST)'],
    ['a look-alike tag', '[\u0455ystem_prompt]', '(\u0455ystem_prompt)'],
    ['an escape sequence', 'a\u001b[31mb', 'ab'],
    ['a lone surrogate', 'a\ud800', 'a\ufffd'],
    ['typographic marks', '“a” – [b](c) …', '“a” – [b](c) …'],
  ])('finds %s in the text of a whole tool', (_what, text, expected) => {
    const { tool: clean } = createToolCleaner()(tool({ properties: { a: { description: text } } }));
    expect(clean.inputSchema).toMatchObject({ properties: { a: { description: expected } } });
  });

  it('works once on what tools share', () => {
    const shared = { type: 'object', description: 'a\u200bb' };
    const clean = createToolCleaner();
    const [first, second] = [clean(tool({ $defs: { shared } })), clean(tool({ $defs: { shared } }))];
    const definition = (of: Tool) => (of.inputSchema['$defs'] as JsonObject)['shared'];
    expect(definition(first.tool)).toBe(definition(second.tool));
    expect(second.changes).toEqual(first.changes);
  });
});

describe('checkName', () => {
  it.each(['read_file', 'read-file', 'read.file2'])('takes %s', (name) => {
    expect(checkName(name)).toEqual({ quarantine: false });
  });

  it.each(['reаd_file', 'lіst', 'read\u200b_file', 'ｒead', 'read file', '', 'x'.repeat(129)])(
    'stops %j',
    (name) => {
      expect(checkName(name)).toEqual({ quarantine: true });
    },
  );
});

describe('compareTool', () => {
  const before = tool({ properties: { a: { type: 'integer', maximum: 100 } }, required: ['a'] });

  it('sees no change in key order or number spelling', () => {
    const after = JSON.parse('{"required":["a"],"properties":{"a":{"maximum":1e2,"type":"integer"}}}');
    expect(compareTool(before, tool(after))).toEqual({ quarantine: false });
  });

  it.each<[string, Tool]>([
    ['a dropped requirement', tool({ properties: { a: { type: 'integer', maximum: 100 } } })],
    ['a moved limit', tool({ properties: { a: { type: 'integer', maximum: 101 } }, required: ['a'] })],
    ['another description', { ...before, description: 'Gets a pet!' }],
    ['another hint', { ...before, annotations: { ...before.annotations, readOnlyHint: false } }],
  ])('sees %s', (_what, after) => {
    expect(compareTool(before, after)).toEqual({ quarantine: true });
  });
});
