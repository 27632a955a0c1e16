// Every topology over real documents: tools, tokens, reached operations, the tokens of finding and calling one, and how
// long the tools take to make from a compiled catalog. node topologies/topologies.mjs [--runs 5]
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { median, report, rounded } from '../drivers/figures.mjs';
import { documents } from './documents.mjs';

const { values: options } = parseArgs({
  options: { runs: { type: 'string', default: '5' } },
});
const NAMES = ['flat', 'hybrid', 'base', 'categories', 'search', 'discover'];
/** Milliseconds of the mcp-croit-ceph server's own documents: hybrid, base_only, categories_only. */
const CLAIMED = { hybrid: 500, base: 100, categories: 1000 };
const MEASURE = fileURLToPath(new URL('./measure.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'toolcrib-topologies-'));

try {
  const rows = documents(folder).flatMap(({ name, file }) => {
    const child = (...more) =>
      JSON.parse(execFileSync(process.execPath, [MEASURE, file, folder, ...more], { encoding: 'utf8' }));
    const costs = child('costs');
    const times = Object.fromEntries(NAMES.map((topology) => [topology, []]));
    for (let run = 0; run < Number(options.runs); run++)
      for (const topology of run % 2 === 0 ? NAMES : NAMES.toReversed())
        times[topology].push(child('time', topology));
    return NAMES.map((topology) => {
      const middle = (name) => median(times[topology].map((one) => one[name]));
      const claimed = CLAIMED[topology];
      return {
        document: name,
        topology,
        ...costs[topology],
        'first ms': rounded(middle('ms')),
        'first CPU ms': rounded(middle('cpu')),
        'again ms': rounded(middle('againMs')),
        'again CPU ms': rounded(middle('againCpu')),
        ...(claimed === undefined ? {} : { 'claimed ms': claimed }),
        ...(costs.auto === topology ? { auto: 'takes it' } : {}),
      };
    });
  });
  report('topologies', rows, { runs: Number(options.runs) });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
