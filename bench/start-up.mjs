// Process start to `tools/list` answered over stdio for GitHub's document, against a server generated beforehand.
// node start-up.mjs [--runs 11] [--memory-runs 3]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { median, quantile, report, rounded } from './drivers/figures.mjs';
import { builtToolcrib, GITHUB, generatedServer } from './drivers/prepare.mjs';
import { memoryOf, processorTime } from './drivers/process-facts.mjs';
import { rotated } from './drivers/rotated.mjs';
import { StdioProcess } from './drivers/stdio-process.mjs';

const { values: options } = parseArgs({
  options: { runs: { type: 'string', default: '11' }, 'memory-runs': { type: 'string', default: '3' } },
});
const temporary = mkdtempSync(join(tmpdir(), 'toolcrib-bench-'));
const toolcrib = builtToolcrib();
const serve = (state, ...more) => [
  toolcrib,
  'serve',
  GITHUB,
  '--stdio',
  '--no-watch',
  '--state-dir',
  join(temporary, state),
  ...more,
];
const FLAT = ['--topology', 'flat'];
let cold = 0;
/** The generated server lists every operation; `flat` does the same, and without it Toolcrib lists what fits a model. */
const contenders = {
  generated: () => [generatedServer()],
  'toolcrib, flat, no cache': () => serve(`cold-${cold++}`, ...FLAT),
  'toolcrib, flat, cached': () => serve('warm', ...FLAT),
  'toolcrib as it comes, no cache': () => serve(`cold-${cold++}`),
  'toolcrib as it comes, cached': () => serve('warm-hybrid'),
};
const measured = Object.fromEntries(
  Object.keys(contenders).map((name) => [name, { ms: [], cpu: [], rss: [], peak: [], tools: 0, bytes: 0 }]),
);

try {
  for (const args of Object.values(contenders)) await once(args(), 2_000);
  for (let run = 0; run < Number(options.runs); run++) {
    for (const [name, args] of rotated(Object.entries(contenders), run)) {
      const { ms, cpu, tools, bytes, memory } = await once(
        args(),
        run < Number(options['memory-runs']) ? 5_000 : 0,
      );
      const figures = measured[name];
      figures.ms.push(ms);
      figures.cpu.push(cpu);
      Object.assign(figures, { tools, bytes });
      if (memory !== undefined) {
        figures.rss.push(memory.rss);
        figures.peak.push(memory.peak);
      }
    }
  }
} finally {
  rmSync(temporary, { recursive: true, force: true });
}

const base = measured.generated;
report(
  'start-up',
  Object.entries(measured).map(([name, { ms, cpu, rss, peak, tools, bytes }]) => ({
    server: name,
    tools,
    'list MB': rounded(bytes / 1e6, 2),
    'ms (median)': rounded(median(ms), 0),
    'ms (quartiles)': `${rounded(quantile(ms, 0.25), 0)}–${rounded(quantile(ms, 0.75), 0)}`,
    'CPU ms': rounded(median(cpu), 0),
    ratio: rounded(median(ms) / median(base.ms), 2),
    'RSS MB after 5 s': rounded(median(rss), 0),
    'RSS ratio': rounded(median(rss) / median(base.rss), 2),
    'peak MB': rounded(median(peak), 0),
  })),
  { runs: Number(options.runs), document: 'GitHub, npm @octokit/openapi' },
);

async function once(args, restMs) {
  const server = new StdioProcess(args);
  try {
    await server.initialize();
    const line = await server.request('tools/list', {});
    const ms = performance.now() - server.started;
    const cpu = processorTime(server.pid);
    const { result } = JSON.parse(line);
    if (result?.tools === undefined) throw new Error(`no tools: ${line.slice(0, 300)} ${server.stderr}`);
    if (result.nextCursor !== undefined)
      throw new Error('the list came in pages: the comparison would not be fair');
    if (restMs > 0) await wait(restMs);
    return {
      ms,
      cpu,
      tools: result.tools.length,
      bytes: line.length,
      memory: restMs >= 5_000 ? memoryOf(server.pid) : undefined,
    };
  } finally {
    await server.stop();
  }
}
