import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { compareTool } from '../../../src/compiler/clean-tool.ts';
import { compileSource } from '../../../src/compiler/compile-source.ts';
import type { JsonObject, Tool, UpstreamTool } from '../../../src/operations/index.ts';
import { describeMcp } from '../../../src/sources/mcp/describe.ts';

/** The corpus of poisoned definitions, on the way that tools of upstream servers take into the catalog. */
const FILE = new URL('../../../../../shared/data/security/tool-poisoning.jsonl', import.meta.url);
const HIDDEN =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200b\u2060-\u206f\u202a-\u202e\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/u;

interface Row {
  readonly id: string;
  readonly kind: 'text' | 'tool' | 'name' | 'pair';
  readonly text: string;
  readonly tool: UpstreamTool;
  readonly name: string;
  readonly before: UpstreamTool;
  readonly after: UpstreamTool;
  readonly expect: {
    readonly exact?: string;
    readonly absent?: readonly string[];
    readonly keep?: readonly string[];
    readonly quarantine?: boolean;
  };
}

const rows: readonly Row[] = existsSync(FILE)
  ? readFileSync(FILE, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  : [];
const of = (kind: Row['kind']) =>
  rows.filter((row) => row.kind === kind).map((row) => [row.id, row] as const);

function published(more: Partial<UpstreamTool>): readonly Tool[] {
  const tool = { name: 'act', description: 'Acts.', inputSchema: { type: 'object' } as JsonObject, ...more };
  const listing = {
    tools: [tool],
    resources: [],
    resourceTemplates: [],
    prompts: [],
    server: { name: 's', version: '1' },
    era: 'legacy',
    capabilities: {},
  } as const;
  return compileSource(describeMcp('s', listing, { local: true }), {
    source: 's',
    kind: 'mcp',
    prefix: 's',
    profile: 'portable',
    outputSchemas: 'relaxed',
    maxOutputSchemaSize: 2000,
  }).tools.map((one) => one.tool);
}

describe.skipIf(rows.length === 0)('the corpus of poisoned tools (../shared beside the repository)', () => {
  test.each(of('text'))('%s: a description', (_id, { text, expect: expected }) => {
    const description = published({ description: text })[0]!.description!;
    if (expected.exact !== undefined) expect(description).toBe(expected.exact);
    expect(expected.absent?.filter((part) => description.includes(part)) ?? []).toEqual([]);
    expect(expected.keep?.filter((part) => !description.includes(part)) ?? []).toEqual([]);
  });

  test.each(of('tool'))('%s: a whole tool', (_id, { tool, expect: expected }) => {
    const json = JSON.stringify(published(tool)[0]);
    expect(
      JSON.parse(`[${json}]`)
        .flatMap(stringsOf)
        .filter((text: string) => HIDDEN.test(text)),
    ).toEqual([]);
    expect(expected.keep?.filter((part) => !json.includes(part)) ?? []).toEqual([]);
  });

  test.each(of('name'))('%s: a name is plain text or none', (_id, { name, expect: expected }) => {
    for (const tool of published({ name })) {
      expect(tool.name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
      if (expected.quarantine) expect(tool.name).not.toBe(`s_${name}`);
      else expect(tool.name).toBe(`s_${name.replaceAll('.', '_')}`);
    }
  });

  test.each(of('pair'))('%s: a change is seen, and another spelling is none', (_id, row) => {
    const [before, after] = [published(row.before)[0]!, published(row.after)[0]!];
    expect(compareTool(before, after).quarantine).toBe(row.expect.quarantine);
  });
});

function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, member]) => [key, ...stringsOf(member)]);
}
