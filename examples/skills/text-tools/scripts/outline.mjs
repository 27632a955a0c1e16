#!/usr/bin/env node
// List the headings of a Markdown text.
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { depth: { type: 'string', short: 'd', default: '6' } },
});
if (positionals.length !== 1) {
  console.error('Usage: outline.mjs [--depth N] <text>');
  process.exit(2);
}

const headings = positionals[0]
  .split('\n')
  .map((line) => /^(#{1,6}) (.+)$/.exec(line))
  .filter((match) => match !== null && match[1].length <= Number(values.depth))
  .map(([, marks, title]) => ({ level: marks.length, title }));
console.log(JSON.stringify({ ok: true, data: { headings } }));
