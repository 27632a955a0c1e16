import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { z } from 'zod';
import { createAdminProgram } from '../../src/cli/commands/admin/admin-program.ts';
import { createProgram } from '../../src/cli/program.ts';
import type { Terminal } from '../../src/cli/terminal/terminal.ts';
import { DEFAULTS } from '../../src/config/defaults.ts';
import { configurationSchema } from '../../src/config/schema/configuration-file.ts';

const page = (name: string) => readFile(new URL(`../../../docs/${name}`, import.meta.url), 'utf8');

describe('docs/configuration.md', async () => {
  const text = await page('configuration.md');
  const [, example = ''] = /^```yaml\n(.*?)^```$/ms.exec(text) ?? [];
  const schema = configurationSchema(DEFAULTS.kinds, DEFAULTS.topologies);

  it('shows a configuration that is one', () => {
    const outcome = schema.safeParse(parse(example));
    expect(outcome.error?.issues ?? []).toEqual([]);
  });

  it('names every key', () => {
    const elsewhere = ['$schema', 'function'];
    const shape = schema.shape as Readonly<Record<string, z.ZodType>>;
    const keys = Object.keys(shape).filter((key) => !elsewhere.includes(key));
    const described = schema.toJSONSchema({ unrepresentable: 'any', io: 'input' });
    const { properties } = (described as { properties: Record<string, Described> }).properties['sources']!
      .additionalProperties!;
    const ofSource = Object.keys(properties).filter((key) => !elsewhere.includes(key));
    expect(ofSource).toContain('rawProxy');
    for (const key of [...keys, ...ofSource]) expect(example, key).toMatch(new RegExp(`\\b${key}:`));
  });
});

interface Described {
  readonly additionalProperties?: { readonly properties: Record<string, unknown> };
}

describe('docs/command-line.md', async () => {
  const text = await page('command-line.md');
  const terminal = {} as Terminal;
  const program = createProgram(terminal, () => undefined);
  const admin = createAdminProgram(terminal, () => undefined);
  const leaves = (command: Command): Command[] =>
    command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);

  it.each([...leaves(program), ...leaves(admin)].map((command) => [pathOf(command), command] as const))(
    'names %s and its options',
    (path, command) => {
      for (const word of path.split(' ')) expect(text).toContain(word);
      for (const { long } of command.options) expect(text, `${path} ${long}`).toContain(long);
      expect(command.description()).not.toBe('');
      for (const option of command.options) expect(option.description, `${path} ${option.long}`).not.toBe('');
    },
  );
});

function pathOf(command: Command): string {
  const { parent } = command;
  return parent === null ? command.name() : `${pathOf(parent)} ${command.name()}`;
}
