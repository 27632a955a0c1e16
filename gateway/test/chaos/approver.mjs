// The process that the approval loop kills: uses up approvals as fast as it can. Each use is written down before the
// call would be carried out: a line in a file outlives the process.
// node approver.mjs ADDRESS FILE
import { openSync, writeSync } from 'node:fs';
import { createApprovals } from '../../src/approvals/index.ts';
import { createDurableEvents } from '../../src/events/durable-events.ts';
import { createCallIds } from '../../src/router/call-ids.ts';
import { approveLayer } from '../../src/router/layers/approve.ts';
import { openStore } from '../../src/store/open-store.ts';

const POLICY = {
  write: 'ask',
  delete: 'ask',
  rules: [],
  expiresMs: 600_000,
  waitMs: 0,
  elicitation: 'off',
  approvers: [],
};
const OPERATION = {
  id: 'deleteItem',
  source: 'stock',
  description: 'Deletes an item.',
  access: 'delete',
  tags: [],
  safety: { destructive: true },
  input: { type: 'object' },
  invocation: { kind: 'function', function: 'deleteItem' },
};
const AT_ONCE = 4;

const store = await openStore(process.argv[2]);
const events = createDurableEvents({ store, recover: false });
const used = openSync(process.argv[3], 'a');
const nextId = createCallIds();
const approvals = createApprovals({
  store,
  policy: () => POLICY,
  record: (event) => events.append(event),
  redact: (value) => value,
});
const layer = approveLayer({
  needs: () => ({ reason: 'Chaos.', standing: 'never' }),
  approvals: approvals.gate,
  reauthorise: async (call) => call,
  validate: () => undefined,
});

const call = (item) =>
  layer(
    {
      id: nextId(),
      principal: { id: 'chaos', kind: 'local', maxAccess: 'delete', roles: [] },
      tool: 'stock_deleteItem',
      operation: OPERATION,
      arguments: { item },
      deadline: Date.now() + 30_000,
      signal: new AbortController().signal,
      channel: {},
      dryRun: false,
      depth: 0,
    },
    async ({ approval }) => {
      writeSync(used, `${approval}\n`);
      return { kind: 'completed', content: [] };
    },
  ).catch((error) => error);

/** Asks about the same few items that every process asks about, approves, and lets several calls race for it. */
async function lane(item) {
  for (;;) {
    const told = await call(item);
    const id = told.details?.approval;
    if (told.code === 'approval_required') {
      await approvals
        .decide(id, { decision: 'approve' }, { kind: 'operator', channel: 'cli', id: 'chaos' })
        .catch(() => undefined);
    }
    await Promise.all([call(item), call(item)]);
  }
}

console.log('begun');
await Promise.all(Array.from({ length: AT_ONCE }, (_, item) => lane(item)));
