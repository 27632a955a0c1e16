import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { toolTemplate } from '../../../src/cli/templates/tool.ts';
import type { FunctionTool } from '../../../src/sources/function/define.ts';
import { createFunctionRegistry } from '../../../src/sources/function/registry.ts';
import { describePackageSource } from '../../../src/sources/registry.ts';

let folder = '';
const read: string[] = [];
const reader = {
  read: async (location: string) => {
    read.push(location);
    return readFile(location);
  },
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolcrib-packages-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(async () => {
  read.length = 0;
  await rm(join(folder, 'tools'), { recursive: true, force: true });
  await make('words');
});

async function make(name: string, change: (code: string) => string = (code) => code) {
  const target = join(folder, 'tools', name);
  await mkdir(target, { recursive: true });
  for (const [file, text] of Object.entries(toolTemplate(name)))
    await writeFile(join(target, file), file === 'tool.ts' ? change(text) : text);
}

async function described(settings: unknown = './tools') {
  let tools: readonly FunctionTool[] = [];
  const description = await describePackageSource(
    settings,
    { name: 'mine', baseDirectory: folder, reader, signal: new AbortController().signal },
    (functions) => {
      tools = functions.tools ?? [];
    },
  );
  return { ...description, tools };
}

const call = (tools: readonly FunctionTool[], text: string) => tools[0]!.handler({ text }, {} as never);

describe('a source of tool packages', () => {
  it('offers each package with its whole contract, and its code', async () => {
    await make('lines', (code) => code.replaceAll('\\s+', '\\n'));
    const { operations, tools, diagnostics } = await described();
    expect(operations.map(({ id, source }) => `${source}/${id}`)).toEqual(['mine/lines', 'mine/words']);
    expect(operations[1]).toMatchObject({
      access: 'read',
      limits: { timeoutMs: 5000 },
      budget: { calls: 1000 },
      cost: { usd: 0, typicalMs: 1 },
      safety: { network: false, file: false, openWorld: false, idempotent: true, destructive: false },
      output: { required: ['words'] },
      invocation: { kind: 'function', function: 'words' },
    });
    expect(call(tools, 'a b\nc')).toEqual({ words: 2 });
    expect(diagnostics).toEqual([]);
  });

  it('is one package, or a list of folders', async () => {
    await make('lines');
    const names = async (settings: unknown) => (await described(settings)).operations.map(({ id }) => id);
    expect(await names('./tools/words')).toEqual(['words']);
    expect(await names(['./tools/lines', './tools'])).toEqual(['lines', 'words']);
  });

  it('reads what can change through the reader, so that it is watched', async () => {
    await described();
    expect(read).toEqual([join(folder, 'tools/words/tool.schema.json'), join(folder, 'tools/words/tool.ts')]);
  });

  it('loads changed code, and code that did not change only once', async () => {
    const first = await described();
    const again = await described();
    expect(again.tools[0]!.handler).toBe(first.tools[0]!.handler);
    await make('words', (code) => code.replace('.length', '.length * 100'));
    const changed = await described();
    expect(call(changed.tools, 'one two')).toEqual({ words: 200 });
    expect(call(first.tools, 'one two')).toEqual({ words: 2 });
  });

  it('goes by the contract where the code says otherwise, and says so', async () => {
    await make('words', (code) => code.replace('timeoutMs: 5000', 'timeoutMs: 1'));
    const { operations, diagnostics } = await described();
    expect(operations[0]!.limits).toEqual({ timeoutMs: 5000 });
    expect(diagnostics).toMatchObject([{ code: 'package-differs', location: join(folder, 'tools/words') }]);
  });

  it('loses the broken package only, naming the place', async () => {
    await make('broken', () => 'export default 1;\n');
    const { operations, diagnostics } = await described();
    expect(operations.map(({ id }) => id)).toEqual(['words']);
    expect(diagnostics).toMatchObject([
      { code: 'package-unusable', severity: 'error', location: join(folder, 'tools/broken/tool.ts') },
    ]);
  });

  it('refuses a second package of the same name', async () => {
    await cp(join(folder, 'tools/words'), join(folder, 'tools/twin'), { recursive: true });
    const { operations, diagnostics } = await described();
    expect(operations).toHaveLength(1);
    expect(diagnostics[0]!.message).toContain('is called words, too');
  });

  it.each([
    ['no folder', './nowhere', 'source_unreadable'],
    ['a folder without packages', '.', 'source_unreadable'],
    ['no path', 7, 'configuration_invalid'],
  ])('says what is wrong with %s', async (_, settings, code) => {
    if (settings === '.') await rm(join(folder, 'tools'), { recursive: true });
    await expect(described(settings)).rejects.toMatchObject({ code });
  });
});

describe('the function registry', () => {
  it('takes new code for a source, and leaves the others alone', () => {
    const tool = (answer: string): FunctionTool => ({ name: 't', description: 'd', handler: () => answer });
    const prompt = { name: 'p', get: () => [] };
    const registry = createFunctionRegistry({ fixed: { tools: [tool('fixed')] } }, () => {});
    registry.replace('mine', { tools: [tool('one')], prompts: [prompt] });
    const answers = () =>
      ['fixed', 'mine'].map((source) => registry.tool(source, 't')?.definition.handler({}, {} as never));
    expect(answers()).toEqual(['fixed', 'one']);
    registry.replace('mine', { tools: [tool('two')] });
    expect(answers()).toEqual(['fixed', 'two']);
    return expect(registry.getPrompt('p', {}, {})).rejects.toMatchObject({ code: 'prompt_unknown' });
  });
});
