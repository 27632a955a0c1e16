// The process that the kill loop kills: appends calls as fast as it can and writes down what is committed, a line each,
// into a file: unlike a pipe it takes everything at once, and what stands there outlives the process.
// node appender.mjs ADDRESS FILE
import { randomBytes } from 'node:crypto';
import { openSync, writeSync } from 'node:fs';
import { createDurableEvents } from '../../src/events/durable-events.ts';
import { openStore } from '../../src/store/open-store.ts';

const ACCESS = ['read', 'write', 'delete'];
const AT_ONCE = 8;

const store = await openStore(process.argv[2]);
const events = createDurableEvents({ store });
const acknowledged = openSync(process.argv[3], 'a');
const acknowledge = ({ sequence, type, call }) => writeSync(acknowledged, `${sequence} ${type} ${call}\n`);

async function calls(lane) {
  for (let count = 0; ; count++) {
    const start = {
      type: 'call-started',
      call: randomBytes(16).toString('hex'),
      principal: 'chaos',
      tool: 'chaos_call',
      operation: 'call',
      source: 'chaos',
      access: ACCESS[(lane + count) % ACCESS.length],
    };
    acknowledge(await events.append(start));
    const failed = count % 7 === 0 ? { type: 'call-failed', code: 'upstream_status', message: 'no' } : {};
    acknowledge(await events.append({ ...start, type: 'call-completed', durationMs: 1, ...failed }));
  }
}

console.log('begun');
await Promise.all(Array.from({ length: AT_ONCE }, (_, lane) => calls(lane)));
