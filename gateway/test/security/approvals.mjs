// The approvals of the product over a SQLite file of their own, with a clock that the check turns.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApprovals, readDecision } from '../../src/approvals/index.ts';
import { createCallIds } from '../../src/router/call-ids.ts';
import { approveLayer } from '../../src/router/layers/approve.ts';
import { openStore } from '../../src/store/open-store.ts';

/** The check's policy: which tools ask, who decides, how long. A change of any of them is another policy. */
const policyOf = ({ ttlMs, approvers, needsApproval }) => ({
  write: 'allow',
  delete: 'allow',
  rules: needsApproval.map((tool) => ({ tool, action: 'ask' })),
  expiresMs: ttlMs,
  waitMs: 0,
  elicitation: 'off',
  approvers,
});

export async function openApprovals({ policy: given }) {
  const folder = await mkdtemp(join(tmpdir(), 'toolcrib-approvals-'));
  const address = `sqlite:${join(folder, 'approvals.db')}`;
  const nextId = createCallIds();
  const versions = new Map();
  const refs = new Map();
  const runs = [];
  let settings = given;
  let time = Date.now();
  let opened = await open();

  async function open() {
    const store = await openStore(address);
    const approvals = createApprovals({
      store,
      policy: () => policyOf(settings),
      record: async () => undefined,
      redact: (value) => value,
      now: () => time,
    });
    const layer = approveLayer({
      needs: ({ tool }) =>
        settings.needsApproval.includes(tool)
          ? { reason: 'The policy asks for this tool.', standing: 'tool' }
          : undefined,
      approvals: approvals.gate,
      reauthorise: async (call) => call,
      validate: () => undefined,
      now: () => time,
    });
    return { store, approvals, layer };
  }

  const operationOf = (tool) => ({
    id: tool,
    source: 'check',
    title: `${tool} ${versions.get(tool) ?? 1}`,
    access: 'write',
    tags: [],
    safety: { destructive: false },
    input: { type: 'object' },
    invocation: { kind: 'function', function: tool },
  });

  const call = async ({ as, tool, args }, ref, approval) =>
    opened.layer(
      {
        id: nextId(),
        principal: principalOf(as),
        tool,
        operation: operationOf(tool),
        arguments: args,
        deadline: Date.now() + 30_000,
        signal: new AbortController().signal,
        channel: approval === undefined ? {} : { approval },
        run: ref,
        dryRun: false,
        depth: 0,
      },
      async ({ arguments: used }) => {
        runs.push({ tool, args: used, ref });
        return { kind: 'completed', content: [] };
      },
    );

  const request = async (step) => {
    const known = { as: step.as, tool: step.tool, args: step.args };
    refs.set(step.ref, known);
    try {
      await call(known, step.ref);
      known.ran = true;
    } catch (error) {
      if (error.details?.approval === undefined) throw error;
      known.id = error.details.approval;
    }
  };

  /** Each approver of the check has a role of that name. For calls of their own they answer at their client. */
  const decide = async ({ ref, by }, decision) => {
    const { id, as } = refs.get(ref);
    const principal = { ...principalOf(by), purpose: 'approve' };
    const decider =
      by === as && settings.approvers.includes(by)
        ? { kind: 'caller', principal }
        : { kind: 'user', channel: 'http', principal, roles: [by] };
    await opened.approvals.decide(id, decision, decider);
  };

  const steps = {
    request,
    approve: (step) =>
      decide(
        step,
        step.args === undefined ? { decision: 'approve' } : { decision: 'edit', arguments: step.args },
      ),
    deny: (step) => decide(step, { decision: 'reject' }),
    decide: (step) => decide(step, readDecision(parsed(step.raw))),
    async resume(step) {
      const known = refs.get(step.ref);
      await call({ ...known, ...pick(step) }, step.ref, known.id);
    },
    async advance({ ms }) {
      time += ms;
    },
    async tool({ tool, version }) {
      versions.set(tool, version);
    },
    async policy({ do: _do, policy, ...rest }) {
      settings = { ...settings, ...rest, ...policy };
    },
    async restart() {
      await opened.store.close();
      opened = await open();
    },
  };

  return {
    async act(step) {
      const play = steps[step.do];
      if (play === undefined) throw new Error(`Nothing is known of the step ${step.do}.`);
      await play(step);
    },
    executed: () => runs,
    async state(ref) {
      const { id, ran } = refs.get(ref);
      if (id === undefined) return ran ? 'executed' : 'denied';
      const { state } = await opened.approvals.get(id, { kind: 'operator' });
      return state === 'approved' || state === 'executing' ? 'pending' : state;
    },
    async close() {
      await opened.store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function principalOf(id) {
  return { id, kind: 'user', maxAccess: 'delete', roles: [], organisation: 'check' };
}

function pick({ as, tool, args }) {
  return Object.fromEntries(Object.entries({ as, tool, args }).filter(([, value]) => value !== undefined));
}

function parsed(raw) {
  try {
    return JSON.parse(raw);
  } catch {
    return undefined;
  }
}
