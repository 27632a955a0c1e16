// What each page of the console costs a browser: bytes, requests, first paint, long tasks; with a slowed processor.
// node console-pages.mjs [--slow 4] [--operations 500] [--calls 2000]
// Exit code 1 where a first load is above 150 kB; times are told, never judged.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { launchChromium } from '../console/test/browser/support/launch-chromium.ts';
import { createGateway, defineTool } from '../gateway/src/index.ts';
import { report, rounded } from './drivers/figures.mjs';

const { values: options } = parseArgs({
  options: {
    slow: { type: 'string', default: '4' },
    operations: { type: 'string', default: '500' },
    calls: { type: 'string', default: '2000' },
  },
});
const FIRST_LOAD_BYTES = 150_000;

const folder = mkdtempSync(join(tmpdir(), 'toolcrib-bench-'));
const root = join(import.meta.dirname, '..');
const consoleFolder = join(folder, 'console');
const built = spawnSync(process.execPath, [join(root, 'console/scripts/build.mjs'), consoleFolder], {
  stdio: 'inherit',
});
if (built.status !== 0) process.exit(1);
const registry = readFileSync(join(root, 'console/src/app/page-registry.ts'), 'utf8');
const pages = [...registry.matchAll(/page\(\s*'\/([\w-]+)/g)].map(([, name]) => name);

const gateway = await createGateway(
  {
    name: 'bench',
    stateDirectory: join(folder, 'state'),
    store: `sqlite:${join(folder, 'bench.db')}`,
    sources: { work: { function: {} }, toolcrib: { self: {} } },
  },
  { consoleFolder, functions: { work: functions(Number(options.operations)) } },
);
const { url } = await gateway.listen({ port: 0 });
const { origin } = new URL(url);
for (let call = 0; call < Number(options.calls); call++) {
  await gateway.call({
    tool: `work_task_${call % Number(options.operations)}`,
    arguments: { text: `${call}` },
  });
}
const browser = await launchChromium();
const rows = [];
try {
  for (const name of pages) rows.push(await measure(name));
} finally {
  await browser.close();
  await gateway.close();
  rmSync(folder, { recursive: true, force: true });
}
report('console-pages', rows, {
  note: `Processor slowed ${options.slow} times; ${options.operations} operations, ${options.calls} recorded calls.`,
});
const heavy = rows.filter((row) => row['first load kB'] * 1_000 > FIRST_LOAD_BYTES);
for (const { page } of heavy) console.error(`The first load of /${page} is above 150 kB.`);
process.exitCode = heavy.length === 0 ? 0 : 1;

async function measure(name) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: Number(options.slow) });
  await page.addInitScript(() => {
    globalThis.__tasks = [];
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) globalThis.__tasks.push(duration);
    }).observe({ type: 'longtask', buffered: true });
  });
  const sizes = [];
  const count = (request) => {
    if (!request.url().includes('/api/')) sizes.push(request.sizes().then((size) => size.responseBodySize));
  };
  page.on('requestfinished', count);
  await page.goto(`${origin}/${name}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('load');
  const seen = await page.evaluate(() => ({
    paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
    tasks: globalThis.__tasks,
    heap: performance.memory?.usedJSHeapSize ?? 0,
  }));
  // one that finishes while the page closes has no sizes any more
  page.off('requestfinished', count);
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  await context.close();
  return {
    page: name,
    'first load kB': rounded(bytes / 1_000, 1),
    requests: sizes.length,
    'first paint ms': rounded(seen.paint, 0),
    'longest task ms': rounded(Math.max(0, ...seen.tasks), 0),
    'blocking ms': rounded(
      seen.tasks.reduce((sum, task) => sum + Math.max(0, task - 50), 0),
      0,
    ),
    'heap MB': rounded(seen.heap / 1e6, 1),
  };
}

function functions(count) {
  return {
    tools: Array.from({ length: count }, (_, at) =>
      defineTool({
        name: `task_${at}`,
        description: `Does task ${at}`,
        access: 'read',
        input: { type: 'object', properties: { text: { type: 'string' } } },
        handler: ({ text }) => ({ text }),
      }),
    ),
  };
}
