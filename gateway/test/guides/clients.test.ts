import { describe, expect, it } from 'vitest';
import { CLIENTS } from '../../src/cli/clients/registry.ts';
import { createProgram } from '../../src/cli/program.ts';
import type { Terminal } from '../../src/cli/terminal/terminal.ts';
import { readPage } from './markdown.ts';

describe.each(Object.entries(CLIENTS))('the client %s', (name, { title }) => {
  it.each(['connect', 'disconnect'])('stands in the help of %s', (verb) => {
    const program = createProgram({} as Terminal, () => undefined);
    const command = program.commands.find((one) => one.name() === verb)!;
    expect(command.registeredArguments[0]!.description).toContain(name);
  });

  it('stands where a reader looks for it', async () => {
    const words = new RegExp(`connect .*\\b${name}\\b`);
    expect(await readPage('README.md')).toMatch(words);
    expect(await readPage('docs/connect-a-client.md')).toMatch(words);
    expect(await readPage('docs/start.md')).toContain(`| ${title} | \`${name}\``);
  });
});
