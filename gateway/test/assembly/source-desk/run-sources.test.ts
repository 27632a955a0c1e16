import { expect, test } from 'vitest';
import { createRunSources } from '../../../src/assembly/source-desk/run-sources.ts';
import { configurationForDocuments } from '../../../src/config/command-line/for-documents.ts';
import type { Configuration, SourceConfiguration } from '../../../src/config/configuration.ts';

const source = (settings: string): SourceConfiguration => ({
  kind: 'openapi',
  settings,
  prefix: 'none',
  access: [],
  include: [],
  exclude: [],
});
const configuration = (sources: Record<string, SourceConfiguration>): Configuration => ({
  ...configurationForDocuments([], { env: {}, cwd: '/', overrides: { stateDirectory: '/nowhere' } }),
  sources,
});
const namesOf = ({ sources }: Configuration) => Object.keys(sources).sort();

test('what was added for this run stays through every change of the configuration', () => {
  const run = createRunSources(configuration({ a: source('a') }));
  run.add('b', source('http://127.0.0.1:9/b.json'));
  const taken = run.over(run.base);
  expect(namesOf(taken)).toEqual(['a', 'b']);
  expect(taken.egress.allow).toContain('http://127.0.0.1:9');
  expect(namesOf(run.over(configuration({ c: source('c') })))).toEqual(['b', 'c']);
  run.remove('b');
  const without = run.over(run.base);
  expect(namesOf(without)).toEqual(['c']);
  expect(without.egress.allow).toEqual([]);
});

test('what was taken out stays out until the configuration says something else of it', () => {
  const run = createRunSources(configuration({ a: source('a'), b: source('b') }));
  run.remove('a');
  expect(namesOf(run.over(run.base))).toEqual(['b']);
  expect(namesOf(run.over(configuration({ a: source('a') })))).toEqual([]);
  expect(namesOf(run.over(configuration({ a: source('another') })))).toEqual(['a']);
});

test('a source of the configuration that was changed for this run gives way to a new entry', () => {
  const run = createRunSources(configuration({ a: source('a') }));
  run.add('a', source('mine'));
  expect(run.over(run.base).sources['a']?.settings).toBe('mine');
  expect(run.over(configuration({ a: source('a'), c: source('c') })).sources['a']?.settings).toBe('mine');
  expect(run.over(configuration({ a: source('theirs') })).sources['a']?.settings).toBe('theirs');
  expect(run.has('a')).toBe(false);
});

test('the object of a running gateway, which changes with it, is not kept', () => {
  const sources: Record<string, SourceConfiguration> = { a: source('a') };
  const run = createRunSources(configuration(sources));
  delete sources['a'];
  expect(namesOf(run.base)).toEqual(['a']);
});
