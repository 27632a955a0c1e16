// What many users cost one gateway process: a thousand of them in fifty organisations, each organisation with its own
// account at one provider, with SQLite, with PostgreSQL, and one user without a store as the floor.
// node load.mjs [--only mix,users,changes,isolation,overhead] [--rounds 3] [--seconds 4] [--users 1000]
//   [--organisations 50] [--profile FOLDER]
// PostgreSQL takes part where TOOLCRIB_TEST_POSTGRES names a server: ../.ci/postgres.sh FOLDER node load.mjs
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { keep, median, rounded } from './drivers/figures.mjs';
import { gatewayStarter } from './drivers/gateways.mjs';
import { startListening } from './drivers/listening-process.mjs';
import { measure, startDriver } from './drivers/load-client.mjs';
import { measureOverhead } from './drivers/overhead.mjs';
import { builtToolcrib } from './drivers/prepare.mjs';
import { tokenOf } from './drivers/team.mjs';

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: 'mix,users,changes,isolation,overhead' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '4' },
    users: { type: 'string', default: '1000' },
    organisations: { type: 'string', default: '50' },
    profile: { type: 'string' },
  },
});
const [rounds, users, organisations] = ['rounds', 'users', 'organisations'].map((name) =>
  Number(options[name]),
);
const ms = Number(options.seconds) * 1000;
const STORES = process.env.TOOLCRIB_TEST_POSTGRES === undefined ? ['sqlite'] : ['sqlite', 'postgres'];
/** Of ten requests. */
const MIX = { list: 1, describe: 1, call: 8 };
const SLOW_MS = 5000;
const SLOW_AT_ONCE = 100;
const CHANGES_A_SECOND = 10;

const folder = mkdtempSync(join(tmpdir(), 'toolcrib-load-'));
const stops = [() => rmSync(folder, { recursive: true, force: true })];
const onStop = (stop) => void stops.push(stop);

try {
  const here = (path) => fileURLToPath(new URL(path, import.meta.url));
  const upstream = await startListening([here('drivers/load-upstream.mjs')]);
  onStop(upstream.stop);
  const driver = startDriver();
  onStop(driver.stop);
  const toolcrib = builtToolcrib();
  const start = gatewayStarter({ toolcrib, upstream: upstream.url, folder, onStop });
  const parts = {
    mix,
    users: growth,
    changes,
    isolation,
    overhead: () => measureOverhead({ start, upstream, stores: STORES, rounds: rounds * 4, onStop }),
  };
  const rows = [];
  for (const part of options.only.split(',')) {
    const found = await parts[part]({ start, driver, upstream });
    console.table(found);
    rows.push(...found.map((row) => ({ part, ...row })));
  }
  keep('load', rows, {
    rounds,
    'seconds a round': ms / 1000,
    users,
    organisations,
    'of ten requests': MIX,
    isolation: `one organisation's ${SLOW_AT_ONCE} calls at once are answered after ${SLOW_MS} ms`,
  });
} finally {
  for (const stop of stops.reverse()) await stop();
}

/** Requests a second, latency and memory, all users at random. */
async function mix({ start, driver }) {
  const profiled = options.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${options.profile}`];
  const gateways = [
    await start({ name: 'mix, no store, one user', store: 'none', mode: 'local', node: profiled }),
  ];
  for (const store of STORES) {
    gateways.push(await start({ name: `mix, ${store}`, store, users, organisations, node: profiled }));
  }
  const jobs = gateways.flatMap((gateway) =>
    ['mcp', 'api'].flatMap((over) => [32, 128].map((width) => ({ gateway, over, width, figures: [] }))),
  );
  for (const gateway of gateways) await warmUp(driver, gateway);
  await inTurns(jobs, async ({ gateway, over, width }) =>
    measure(driver, gateway, [everybody(gateway, width)], { over, mix: MIX, ms }),
  );
  const rows = jobs.map(({ gateway, over, width, figures }) => ({
    gateway: gateway.name,
    over,
    'at once': width,
    ...medians(figures, 'everybody'),
  }));
  for (const gateway of gateways) await gateway.stop();
  return rows;
}

/** The same for more and more users; what one request costs should stay. */
async function growth({ start, driver }) {
  const sizes = [
    [10, 1],
    [users, 1],
    [users, organisations],
    [users * 10, organisations * 10],
  ];
  const jobs = [];
  for (const store of STORES) {
    for (const [count, spread] of sizes) {
      const gateway = await start({
        name: `${store}, ${count} in ${spread}`,
        store,
        users: count,
        organisations: spread,
      });
      jobs.push({ gateway, store, count, spread, first: await warmUp(driver, gateway), figures: [] });
    }
  }
  await inTurns(jobs, ({ gateway }) =>
    measure(driver, gateway, [everybody(gateway, 32)], { over: 'mcp', mix: MIX, ms }),
  );
  const rows = jobs.map(({ store, count, spread, first, figures }) => ({
    store,
    users: count,
    organisations: spread,
    'ms CPU, first request of a user': first.cpu,
    ...medians(figures, 'everybody'),
  }));
  for (const { gateway } of jobs) await gateway.stop();
  return rows;
}

/** While admins change levels in one organisation after the other: what was known of it is read again. */
async function changes({ start, driver }) {
  const jobs = [];
  for (const store of STORES) {
    for (const spread of [organisations, 1]) {
      const name = `changes, ${store}, ${spread}`;
      const gateway = await start({ name, store, users, organisations: spread });
      await warmUp(driver, gateway);
      for (const each of [0, CHANGES_A_SECOND]) jobs.push({ gateway, store, spread, each, figures: [] });
    }
  }
  await inTurns(jobs, async ({ gateway, each }) => {
    const stop = each === 0 ? async () => undefined : gateway.changing(each);
    const figures = await measure(driver, gateway, [everybody(gateway, 32)], { over: 'mcp', mix: MIX, ms });
    await stop();
    return figures;
  });
  const rows = jobs.map(({ store, spread, each, figures }) => ({
    store,
    organisations: spread,
    'changes a second': each,
    ...medians(figures, 'everybody'),
  }));
  for (const { gateway } of jobs) await gateway.stop();
  return rows;
}

/** One organisation's provider takes seconds; the others must not notice. */
async function isolation({ start, driver, upstream }) {
  const jobs = [];
  for (const store of STORES) {
    const gateway = await start({ name: `isolation, ${store}`, store, users, organisations });
    await warmUp(driver, gateway);
    for (const slow of [false, true]) jobs.push({ gateway, store, slow, figures: [] });
  }
  await inTurns(jobs, async ({ gateway, slow }) => {
    await delay(upstream, tokenOf(0), slow ? SLOW_MS : 0);
    const others = {
      name: 'others',
      width: 32,
      users: gateway.users.filter(({ organisation }) => organisation !== 0),
    };
    const patient = {
      name: 'slow',
      width: SLOW_AT_ONCE,
      users: gateway.users.filter(({ organisation }) => organisation === 0),
      mix: { list: 0, describe: 0, call: 1 },
    };
    const groups = slow ? [others, patient] : [others];
    const figures = await measure(driver, gateway, groups, {
      over: 'mcp',
      mix: MIX,
      ms: Math.max(ms, SLOW_MS * 1.2),
    });
    const seen = await (await fetch(`${upstream.url}/seen`)).json();
    await delay(upstream, tokenOf(0), 0);
    return { ...figures, seen: seen[tokenOf(0)] ?? 0 };
  });
  const rows = jobs.map(({ store, slow, figures }) => ({
    store,
    "one organisation's provider": slow ? `answers after ${SLOW_MS / 1000} s` : 'is not asked',
    'its requests at once': median(figures.map(({ seen }) => seen)),
    ...medians(figures, 'others'),
    'longest ms of any round': rounded(Math.max(...figures.map(({ others }) => others.longest)), 0),
  }));
  for (const { gateway } of jobs) await gateway.stop();
  return rows;
}

async function delay(upstream, token, delayMs) {
  await fetch(`${upstream.url}/delay`, { method: 'PUT', body: JSON.stringify({ token, ms: delayMs }) });
}

function everybody({ users }, width) {
  return { name: 'everybody', users, width };
}

/** Every user asks once; then the just-in-time compiler has seen enough. */
async function warmUp(driver, gateway) {
  const { everybody: first } = await measure(driver, gateway, [everybody(gateway, 8)], {
    over: 'mcp',
    mix: { list: 1, describe: 0, call: 0 },
    each: true,
  });
  await measure(driver, gateway, [everybody(gateway, 32)], { over: 'mcp', mix: MIX, ms: 1500 });
  await measure(driver, gateway, [everybody(gateway, 32)], { over: 'api', mix: MIX, ms: 500 });
  return first;
}

/** Jobs alternate within each round: a machine that is busy for a while disturbs all of them alike. */
async function inTurns(jobs, run) {
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < jobs.length; turn++) {
      const job = jobs[(turn + round) % jobs.length];
      job.figures.push(await run(job));
    }
  }
}

function medians(figures, group) {
  const of = (name) => median(figures.map((figure) => figure[group][name]));
  const last = figures.at(-1);
  return {
    'requests a second': rounded(of('perSecond'), 0),
    'p50 ms': rounded(of('p50'), 1),
    'p99 ms': rounded(of('p99'), 1),
    'ms CPU a request': rounded(of('cpu'), 3),
    'RSS MB': rounded(last.rss, 0),
    'store MB': rounded(last.storeMb, 1),
  };
}
