import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { quantile } from './figures.mjs';
import { memoryOf, processorTime } from './process-facts.mjs';

/** The driver in a process of its own. */
export function startDriver() {
  const child = fork(fileURLToPath(new URL('load-driver.mjs', import.meta.url)), {
    serialization: 'advanced',
  });
  return {
    /** Milliseconds of every request, by group and kind. Rejects when an answer was not what it must be. */
    async run(job) {
      child.send(job);
      const [message] = await once(child, 'message');
      if (message.error !== undefined) throw new Error(message.error);
      return message.result;
    },
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/**
 * One run against one gateway: what each group had, by its name; the gateway's memory and store afterwards. `cpu` is
 * the gateway's processor time for one request of any group.
 */
export async function measure(driver, gateway, groups, job) {
  const before = processorTime(gateway.pid);
  const results = await driver.run({ url: gateway.url, groups, ...job });
  const spent = processorTime(gateway.pid) - before;
  const figures = Object.entries(results).map(([name, result]) => [name, summaryOf(result)]);
  const requests = figures.reduce((sum, [, one]) => sum + one.requests, 0);
  return {
    ...Object.fromEntries(figures.map(([name, one]) => [name, { ...one, cpu: spent / requests }])),
    rss: memoryOf(gateway.pid).rss,
    storeMb: await gateway.size(),
  };
}

function summaryOf({ taken, ms }) {
  const all = Object.values(taken).flat();
  return {
    requests: all.length,
    perSecond: (all.length / ms) * 1000,
    p50: quantile(all, 0.5),
    p99: quantile(all, 0.99),
    longest: all.reduce((most, one) => Math.max(most, one), 0),
  };
}
