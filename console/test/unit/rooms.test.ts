import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PAGES } from '../../src/app/page-registry.ts';

const SOURCES = join(import.meta.dirname, '../../src');
const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' });
const scripts = files.filter((file) => /\.tsx?$/.test(file));
const read = (file: string) => readFileSync(join(SOURCES, file), 'utf8');

it('takes types from the gateway, and no code', () => {
  const code = scripts.filter((file) =>
    /^(?:import|export) (?!type\b)[^;]*from '[^']*gateway\/src/m.test(read(file)),
  );
  expect(code).toEqual([]);
});

it('draws with tokens: no colour is written anywhere else', () => {
  const styles = files.filter((file) => file.endsWith('.css') && !file.endsWith('tokens.css'));
  const raw = styles.filter((file) => /#[0-9a-f]{3,8}\b|\b(?:hsl|oklch|rgb)a?\((?!0 0 0)/i.test(read(file)));
  expect(styles.length).toBeGreaterThan(5);
  expect(raw).toEqual([]);
});

it('writes no markup of others into the page', () => {
  expect(
    scripts.filter((file) => /dangerouslySetInnerHTML|\.innerHTML\b|insertAdjacentHTML/.test(read(file))),
  ).toEqual([]);
});

it('ends a change when the gateway has answered, not when everything was read again', () => {
  const waits =
    /on(?:Settled|Success)(?:: \([^)]*\) =>|\([^)]*\) \{[^}]*\bawait)\s[^;,}]*?(?<!void )\b\w+\.(?:invalidate|reset)Queries/;
  expect(scripts.filter((file) => waits.test(read(file)))).toEqual([]);
  expect(waits.test('onSettled: () => client.invalidateQueries({})')).toBe(true);
  expect(waits.test('onSettled: () => void client.invalidateQueries({})')).toBe(false);
  expect(waits.test('async onSettled() { await client.resetQueries(); }')).toBe(true);
});

it('has a folder for each page and a page for each folder', () => {
  const folders = new Set(scripts.map((file) => /^pages\/([^/]+)\//.exec(file)?.[1]).filter(Boolean));
  expect([...folders].sort()).toEqual(PAGES.map(({ path }) => path.split('/')[1]!).sort());
});
