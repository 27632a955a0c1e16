import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { sourceWords } from '../../../src/cli/command-line.ts';
import {
  type SourceOptions,
  settingsOfSources,
  withSourceOptions,
} from '../../../src/cli/options/source-options.ts';
import { surfaceOverrides } from '../../../src/cli/options/surface-options.ts';

function parsed(...words: string[]): SourceOptions {
  const command = withSourceOptions(new Command('tools'), 'options').exitOverride();
  command.configureOutput({ writeErr: () => undefined });
  return command.parse(words, { from: 'user' }).opts();
}

describe('the names of the server that hybrid, base and categories come from', () => {
  it.each([
    [[], {}],
    [['--mode'], { topology: 'hybrid' }],
    [['--mode', '--json'], { topology: 'hybrid' }],
    [['--mode', 'base_only'], { topology: 'base_only' }],
    [
      ['--mode', 'categories_only', '--max-category-tools', '4'],
      { topology: 'categories_only', maxCategoryTools: 4 },
    ],
    [['--no-permission-check'], { permissionCheck: false }],
    [['--enable-daos'], { features: { daos: true } }],
    [['--no-enable-daos', '--enable-specialty-features'], { features: { daos: false, specialty: true } }],
    [['--no-enable-specialty-features'], { features: { specialty: false } }],
  ])('%j', (words, overrides) => {
    expect(surfaceOverrides(parsed(...words))).toEqual(overrides);
  });

  it.each([
    [['--mode', 'everything']],
    [['--mode', 'openapi.json']],
    [['--max-category-tools', 'many']],
    [['--max-category-tools', '101']],
    [['--mode', '--topology', 'flat']],
  ])('%j is refused', (words) => {
    expect(() => parsed(...words)).toThrow(
      expect.objectContaining({ code: expect.stringMatching(/^commander/) }),
    );
  });

  it('lead another command to the same tools', () => {
    const words = [
      '--mode',
      'hybrid',
      '--max-category-tools',
      '4',
      '--preset',
      'croit',
      '--no-permission-check',
      '--enable-daos',
      '--no-enable-specialty-features',
    ];
    const options = parsed(...words);
    expect(sourceWords([], options)).toEqual(words);
    expect(surfaceOverrides(parsed(...sourceWords([], options)))).toEqual(surfaceOverrides(options));
    expect(sourceWords([], parsed())).toEqual([]);
    expect(settingsOfSources(parsed())).toEqual([]);
    expect(settingsOfSources(options)).not.toEqual([]);
  });
});
