// Build time, heap and median query time of the search index beside flat BM25, on synthetic operations, in one run.
// node --expose-gc search.mjs [--sizes 100,1000,10000,50000] [--json FILE]
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createSearchIndex } from '../../gateway/src/retrieval/index.ts';
import * as flat from './flat.mjs';

const { values: options } = parseArgs({
  options: { sizes: { type: 'string', default: '100,1000,10000,50000' }, json: { type: 'string' } },
});
if (typeof globalThis.gc !== 'function') {
  console.error('Run it as: node --expose-gc search.mjs');
  process.exit(2);
}

const ROUNDS = 5;
const QUERIES = 200;
const VERBS = 'list get create update delete search export cancel assign archive'.split(' ');
const contenders = {
  flat: { build: flat.build, search: flat.search },
  toolcrib: {
    build: (documents) =>
      createSearchIndex([{ source: 'bench', stamp: documents, documents: () => documents }]),
    search: (index, text, limit) => index.search(text, { limit }),
  },
};

const rows = options.sizes.split(',').map((size) => measure(Number(size)));
console.table(rows);
if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(rows, null, 2)}\n`);

function measure(size) {
  const random = randomNumbers(size);
  const nouns = Array.from({ length: 1500 }, () => pronounceable(random));
  const documents = Array.from({ length: size }, (_, at) => documentOf(at, nouns, random));
  const queries = Array.from({ length: QUERIES }, () => queryOf(nouns, random));
  const results = { flat: { build: [], query: [] }, toolcrib: { build: [], query: [] } };
  for (let round = 0; round < ROUNDS; round++) {
    const order = Object.entries(contenders);
    for (const [name, contender] of round % 2 === 0 ? order : order.toReversed()) {
      const started = performance.now();
      const index = contender.build(documents);
      results[name].build.push(performance.now() - started);
      for (const query of queries) {
        const asked = performance.now();
        contender.search(index, query, 8);
        if (round > 0) results[name].query.push(performance.now() - asked);
      }
    }
  }
  const heap = Object.fromEntries(
    Object.entries(contenders).map(([name, one]) => [name, heapOf(one, documents)]),
  );
  const both = (figure) => [figure('flat'), figure('toolcrib')];
  return {
    operations: size,
    ...figures(
      'build ms',
      both((name) => median(results[name].build)),
    ),
    ...figures(
      'query p50 ms',
      both((name) => median(results[name].query)),
    ),
    ...figures(
      'heap MB',
      both((name) => heap[name]),
    ),
  };
}

function figures(title, [theirs, ours]) {
  return {
    [`${title} flat`]: rounded(theirs),
    [title]: rounded(ours),
    [`${title} ratio`]: rounded(ours / theirs),
  };
}

function heapOf({ build, search }, documents) {
  const before = used();
  const index = build(documents);
  search(index, 'list', 8);
  const after = used();
  search(index, 'list', 8);
  return (after - before) / 2 ** 20;
}

function used() {
  gc();
  gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function documentOf(at, nouns, random) {
  const [verb, noun, other, third] = [
    pick(VERBS, random),
    pick(nouns, random),
    pick(nouns, random),
    pick(nouns, random),
  ];
  return {
    key: `bench/${at}`,
    name: `${verb}${noun[0].toUpperCase()}${noun.slice(1)}${at}`,
    description: `Use it to ${verb} the ${noun} of one ${other}, by ${third} or by date. Answers hold every ${noun}.`,
    path: `/${other}/{${other}Id}/${noun}`,
    method: 'GET',
    tags: [other],
    parameters: { [`${other}Id`]: `Which ${other} it belongs to`, [third]: `Only those of this ${third}` },
  };
}

function queryOf(nouns, random) {
  return `Could you ${pick(VERBS, random)} every ${pick(nouns, random)} of the ${pick(nouns, random)}, and then ${pick(VERBS, random)} its ${pick(nouns, random)}?`;
}

function pronounceable(random) {
  const syllable = () => `${pick([...'bdfgklmnprstvz'], random)}${pick([...'aeiou'], random)}`;
  return Array.from({ length: 2 + Math.floor(random() * 3) }, syllable).join('');
}

function pick(items, random) {
  return items[Math.floor(random() * items.length)];
}

/** Numbers from 0 to 1 that are the same in every run (mulberry32). */
function randomNumbers(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function median(numbers) {
  return numbers.toSorted((one, other) => one - other)[numbers.length >> 1];
}

function rounded(number) {
  return Math.round(number * 100) / 100;
}
