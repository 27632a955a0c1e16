// The official client of the extension Tasks calls tools of the fixture that become tasks.
import { deepStrictEqual, match, strictEqual } from 'node:assert';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import {
  createApplicationInputHandler,
  createTaskSessionFromClient,
  resultFromTaskOutcome,
} from '@modelcontextprotocol/ext-tasks/client';

const REVISION = '2026-07-28';
const CAPABILITIES = { elicitation: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } };

/** Resolves with what was done. */
export async function useTasks(address, identity) {
  const asked = [];
  const reference = await connected(address, identity, asked, async (session) => {
    const call = async (name, args = {}) => {
      const execution = await session.callTool(name, args);
      const { outcome } = await execution.settle();
      return { kind: execution.kind, result: resultFromTaskOutcome(outcome) };
    };
    const quick = await call('greet', { name: 'Ada' });
    deepStrictEqual([quick.kind, textOf(quick)], ['immediate', 'Hello, Ada!']);
    const slow = await call('slow_compute', { seconds: 1, label: 'sums' });
    deepStrictEqual([slow.kind, textOf(slow)], ['task', 'Computed sums.']);
    match(textOf(await call('multi_input')), /"confirm":true.*"confirm":true/);
    strictEqual(textOf(await call('test_tool_with_task')), 'Hello, Ada!');
    strictEqual((await call('failing_job')).result.isError, true);
    const endless = await session.callTool('slow_compute', { seconds: 60 });
    await endless.cancel();
    strictEqual((await endless.settle()).outcome.status, 'cancelled');
    return left(session);
  });
  deepStrictEqual(asked.toSorted(), ['request', 'task', 'task']);
  await connected(address, identity, asked, async (session) => {
    const { outcome } = await (await session.resumeTask(reference)).settle();
    strictEqual(textOf({ result: resultFromTaskOutcome(outcome) }), 'Computed later.');
  });
  return '7 calls, 6 as tasks: results, questions, cancellation, a task that another connection took up';
}

/** A connection with a session that follows tasks; it notes to what questions belonged. */
async function connected(address, identity, asked, use) {
  const client = new Client(identity, {
    versionNegotiation: { mode: 'auto' },
    capabilities: CAPABILITIES,
  });
  await client.connect(new StreamableHTTPClientTransport(new URL(address)));
  const session = createTaskSessionFromClient(client, {
    endpointId: 'toolcrib-conformance',
    rawDispatch: dispatchTo(address),
    v2RequestFraming: { protocolVersion: REVISION, clientInfo: identity, clientCapabilities: CAPABILITIES },
    onInputRequest: createApplicationInputHandler({
      elicitation: async (_request, { scope }) => {
        asked.push(scope);
        return { action: 'accept', content: { confirm: true, name: 'Ada' } };
      },
    }),
    onError(error) {
      throw error;
    },
  });
  try {
    return await use(session);
  } finally {
    await session.close();
    await client.close();
  }
}

function textOf({ result }) {
  return result.content[0].text;
}

/** A task that its client left, by what was written down of it. */
async function left(session) {
  const execution = await session.callTool('slow_compute', { seconds: 1, label: 'later' });
  let reference;
  await execution.handoff((handed) => {
    reference = JSON.parse(JSON.stringify(handed));
  });
  return reference;
}

/** Requests as the host writes them itself: the SDK's client refuses results that say `task`. */
function dispatchTo(address) {
  let id = 1_000;
  return async ({ method, params }) => {
    id += 1;
    const response = await fetch(address, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': REVISION,
        'mcp-method': method,
        'mcp-name': params.name ?? params.taskId,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
    });
    const { result, error } = await response.json();
    return error === undefined ? { kind: 'result', result } : { kind: 'error', error };
  };
}
