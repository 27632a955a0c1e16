import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';

const SOURCES = join(import.meta.dirname, '../../src');
const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' });
const scripts = files.filter((file) => /\.tsx?$/.test(file));
const read = (file: string) => readFileSync(join(SOURCES, file), 'utf8');
const sheets = files.filter((file) => file.endsWith('.module.css'));

/** `folder/sheet.module.css .class` of every class that a sheet defines. */
const defined = new Set(
  sheets.flatMap((sheet) => {
    const css = read(sheet).replace(/\/\*[\s\S]*?\*\//g, '');
    const selectors = [...css.matchAll(/([^{}]+)\{/g)].map(([, selector]) => selector!);
    return selectors.flatMap((selector) =>
      [...selector.matchAll(/\.([A-Za-z_][\w-]*)/g)].map(([, name]) => `${sheet} .${name}`),
    );
  }),
);

/** What scripts name: `styles['name']`; and what they may name by `styles[variable]`: the words in quotes beside it. */
const named = new Set<string>();
const possible = new Set<string>();
for (const script of scripts) {
  const code = read(script);
  const path = /^import styles from '([^']+\.module\.css)'/m.exec(code)?.[1];
  if (path === undefined) continue;
  const sheet = join(dirname(script), path);
  for (const [, name] of code.matchAll(/\bstyles\['([^']+)'\]/g)) named.add(`${sheet} .${name}`);
  if (!/\bstyles\[[a-z]/i.test(code)) continue;
  // the names are often of a type that comes from beside it
  const beside = [...code.matchAll(/from '(\.[^']+\.tsx?)'/g)].map(([, other]) =>
    join(dirname(script), other!),
  );
  for (const file of [script, ...beside])
    for (const [, word] of read(file).matchAll(/'([\w-]+)'/g)) possible.add(`${sheet} .${word}`);
}

it('reads sheets and scripts', () => {
  expect(defined.size).toBeGreaterThan(100);
  expect(named.size).toBeGreaterThan(100);
});

it('draws with every class that a sheet defines', () => {
  expect([...defined].filter((name) => !named.has(name) && !possible.has(name))).toEqual([]);
});

it('names no class that its sheet lacks', () => {
  expect([...named].filter((name) => !defined.has(name))).toEqual([]);
});
