// Azure connectors against a loopback Azure Resource Manager: how soon they can be listed, how compiling grows with the
// number of connections, and what their list costs. node azure/start.mjs [--runs 7]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createGateway } from '../../gateway/src/index.ts';
import { createTokenCounter } from '../../gateway/src/tokens/index.ts';
import { toolTokens } from '../../gateway/src/topology/given-text.ts';
import { startArm } from '../../gateway/test/doubles/arm/arm.ts';
import { builtToolcrib } from '../drivers/built-toolcrib.mjs';
import { median, report, rounded } from '../drivers/figures.mjs';
import { familyMemory, processorTime } from '../drivers/process-facts.mjs';
import { StdioProcess } from '../drivers/stdio-process.mjs';
import { connectionsTo, connectors, copies } from './connectors.mjs';

const { values: options } = parseArgs({ options: { runs: { type: 'string', default: '7' } } });
const temporary = mkdtempSync(join(tmpdir(), 'toolcrib-azure-'));
const toolcrib = builtToolcrib();
const measured = connectors();
const own = measured.map(({ name }) => ({ name, api: name }));

try {
  const starts = await withArm({ connectors: measured, connections: own }, startUp);
  const lists = await withArm({ connectors: measured, connections: own }, listCosts);
  const growth = [];
  for (const count of [1, 5, 20]) {
    for (const [kind, group] of [
      ['an API each', copies(measured[0], count)],
      ['one API', connectionsTo(measured[0], count)],
    ]) {
      const runs = [];
      for (let run = 0; run < 3; run++) runs.push(await withArm(group, (arm) => compiled(arm)));
      const middle = (key) => rounded(median(runs.map((one) => one[key])), 0);
      growth.push({
        connections: count,
        kind,
        ms: middle('ms'),
        'CPU ms': middle('cpu'),
        'peak MB': middle('peak'),
      });
    }
  }
  report('azure-start', starts, { runs: Number(options.runs), connectors: measured.map(({ name }) => name) });
  report('azure-growth', growth, { document: measured[0].name });
  report('azure-lists', lists);
} finally {
  rmSync(temporary, { recursive: true, force: true });
}

async function withArm(group, use) {
  const arm = await startArm({ ...group, fillerApis: 0 });
  try {
    return await use(arm);
  } finally {
    await arm.close();
  }
}

function environment(arm) {
  return { ...process.env, ARM_MCP_AUTH_TOKEN: arm.token() };
}

/** The first start of a state folder, and the second. */
async function startUp(arm) {
  const words = (state) => [
    toolcrib,
    'azure',
    ...['-s', arm.subscription, '-g', arm.resourceGroup, '-l', arm.location, '-a', 'envvar'],
    ...['--arm-endpoint', arm.url, '--state-dir', join(temporary, state)],
  ];
  const all = (await started(arm, words('warm'), undefined)).tools;
  const found = { 'first start': [], 'second start, from disk': [] };
  for (let run = 0; run < Number(options.runs); run++) {
    found['first start'].push(await started(arm, words(`state-${run}`), all));
    found['second start, from disk'].push(await started(arm, words(`state-${run}`), all));
  }
  return Object.entries(found).map(([start, runs]) => {
    const middle = (key) => rounded(median(runs.map((one) => one[key])), 0);
    return {
      start,
      'handshake ms': middle('handshake'),
      'first list ms': middle('list'),
      'tools in it': middle('there'),
      'last tool ms': middle('last'),
      tools: all,
      'CPU ms': middle('cpu'),
      'RSS MB': middle('rss'),
    };
  });
}

/** `all`: tools until the list is complete; undefined: as many as there are once nothing changes for three seconds. */
async function started(arm, args, all) {
  const server = new StdioProcess(args, { env: environment(arm) });
  const since = () => performance.now() - server.started;
  try {
    await server.initialize();
    const handshake = since();
    let notice = server.nextNotice;
    let tools = await listed(server);
    const [list, there] = [since(), tools];
    for (let quiet = false; all === undefined ? !quiet : tools < all; ) {
      quiet = (await Promise.race([notice, wait(3_000, 'quiet', { ref: false })])) === 'quiet';
      if (quiet && all !== undefined) throw new Error(`${tools} of ${all} tools came: ${server.stderr}`);
      notice = server.nextNotice;
      tools = await listed(server);
    }
    const last = since();
    const cpu = processorTime(server.pid);
    // what is kept for the next start is written behind the first answers
    await wait(1_500);
    return { handshake, list, there, last, cpu, tools, rss: familyMemory(server.pid) };
  } finally {
    await server.stop();
  }
}

async function listed(server) {
  let tools = 0;
  let cursor;
  do {
    const { result } = JSON.parse(await server.request('tools/list', cursor === undefined ? {} : { cursor }));
    tools += result.tools.length;
    cursor = result.nextCursor;
  } while (cursor !== undefined);
  return tools;
}

function configurationFor(arm, more = {}) {
  const { url: armEndpoint, subscription, resourceGroup, location } = arm;
  const azure = { subscription, resourceGroup, location, armEndpoint, authentication: 'envvar', ...more };
  return { topology: 'flat', store: 'none', watch: false, sources: { office: { azure } } };
}

/** `toolcrib compile --json` into nothing, fetching included: wall and processor time, the peak of all its processes. */
async function compiled(arm) {
  const folder = mkdtempSync(join(temporary, 'compile-'));

  writeFileSync(join(folder, 'toolcrib.yaml'), JSON.stringify(configurationFor(arm)));
  const began = performance.now();
  const child = spawn(
    process.execPath,
    [toolcrib, 'compile', '--json', '--state-dir', join(folder, 'state')],
    {
      cwd: folder,
      env: environment(arm),
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  child.stdout.pipe(createWriteStream('/dev/null'));
  let [peak, cpu] = [0, 0];
  const timer = setInterval(() => {
    try {
      peak = Math.max(peak, familyMemory(child.pid));
      cpu = Math.max(cpu, processorTime(child.pid));
    } catch {
      // it has ended
    }
  }, 20);
  const [code] = await once(child, 'exit');
  clearInterval(timer);
  if (code !== 0) throw new Error(`compile ended with ${code}`);
  return { ms: performance.now() - began, cpu, peak };
}

/** Tokens of the list as clients give it to models: whole, and with ten tools an API. */
async function listCosts(arm) {
  const count = await createTokenCounter();
  const rows = [];
  for (const [list, more] of [
    ['flat', {}],
    ['flat, 10 tools an API', { maxToolsPerApi: 10 }],
  ]) {
    const gateway = await createGateway(
      { ...configurationFor(arm, more), stateDirectory: join(temporary, 'lists') },
      { azure: { token: async () => arm.token() } },
    );
    const { tools } = gateway.view();
    const tokens = tools.reduce((sum, tool) => sum + toolTokens(tool, count), 0);
    rows.push({ list, tools: tools.length, tokens });
    await gateway.close();
  }
  return rows;
}
