import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { z } from 'zod';
import { DEFAULTS } from '../../src/config/defaults.ts';
import { configurationSchema } from '../../src/config/schema/configuration-file.ts';
import { blocksOf, markdownFiles, readPage } from './markdown.ts';

const schema = configurationSchema(DEFAULTS.kinds, DEFAULTS.topologies);
const KEYS = Object.keys(schema.shape as Readonly<Record<string, z.ZodType>>);

/** What a block holds, where it is a configuration or a part of one; undefined: it is something else. */
function configurationIn(text: string): Record<string, unknown> | undefined {
  // a part of a source shows where it belongs by its indentation
  if (/^\s/.test(text)) return undefined;
  // alternatives stand one below the other in some: the last one counts
  const value: unknown = parse(text, { uniqueKeys: false });
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const keys = Object.keys(value);
  const known = keys.filter((key) => KEYS.includes(key));
  // manifests, category files and presets share some words with it, and name what they are about
  const whole = known.includes('sources') || known.includes('mcpServers') || known.includes('policy');
  const part = known.length === keys.length && !keys.includes('tools') && keys.some((key) => key !== 'name');
  return whole || part ? (value as Record<string, unknown>) : undefined;
}

describe('configurations of the documentation', async () => {
  const pages = (await markdownFiles()).filter((page) => page === 'README.md' || page.startsWith('docs/'));
  const found = (
    await Promise.all(
      pages.map(async (page) =>
        blocksOf(await readPage(page))
          .filter(({ language }) => language === 'yaml')
          .flatMap(({ text, line }) => {
            const configuration = configurationIn(text);
            return configuration === undefined ? [] : [[`${page}:${line}`, configuration] as const];
          }),
      ),
    )
  ).flat();

  it('are found', () => {
    expect(found.length).toBeGreaterThan(30);
    expect(found.filter(([place]) => place.startsWith('README.md'))).toHaveLength(2);
  });

  it.each(found)('%s is one', (_place, configuration) => {
    expect(schema.safeParse(configuration).error?.issues ?? []).toEqual([]);
  });
});
