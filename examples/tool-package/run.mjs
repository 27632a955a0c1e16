// A tool package: checked by `toolcrib lint`, served from toolcrib.yaml, called until its budget is used up.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createGateway } from 'toolcrib';
import { parse } from 'yaml';
import { commandIn } from '../support/command.mjs';

const here = import.meta.dirname;
const state = mkdtempSync(join(tmpdir(), 'toolcrib-tool-package-'));
const { toolcrib } = commandIn(here, { XDG_STATE_HOME: state });
assert.equal(
  await toolcrib('lint', './tools', '--run-tests'),
  'invoice_total: 2 examples run, 1 test file run, 0 errors, 0 warnings, 0 notes\n',
);

const configuration = parse(readFileSync(join(here, 'toolcrib.yaml'), 'utf8'));
const gateway = await createGateway(
  {
    ...configuration,
    stateDirectory: state,
    lock: { file: join(state, 'lock'), report: join(state, 'report') },
  },
  { baseDirectory: here },
);
const { url } = await gateway.listen({ port: 0 });
const client = new Client({ name: 'tool-package', version: '1.0.0' });

try {
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url)));
  const call = (args) => client.callTool({ name: 'invoice_total', arguments: args });
  const lines = [{ quantity: 3, price: 0.1 }];

  for (let calls = 0; calls < 3; calls++)
    assert.deepEqual((await call({ lines })).structuredContent, { net: 0.3, tax: 0, total: 0.3 });
  const refused = await call({ lines });
  assert.equal(refused.isError, true);
  assert.match(
    refused.content[0].text,
    /^budget_exceeded: Budget office\/invoice_total .* 3 of 3 calls; it frees at /,
  );

  const { operation } = await (await fetch(new URL('/api/v1/tools/invoice_total', url))).json();
  assert.deepEqual(
    [operation.budget, operation.cost.usd, operation.limits.timeoutMs],
    [{ calls: 3 }, 0.001, 2000],
  );
  const { budgets } = await (await fetch(new URL('/api/v1/budgets', url))).json();
  assert.deepEqual(
    budgets.map(({ budget, used }) => [budget, used.calls, used.usd]),
    [
      ['office/invoice_total', 3, 0.003],
      ['office per day', 3, 0.003],
    ],
  );
  console.log('ok  tool-package: a folder is a tool, with a budget that holds');
} finally {
  await client.close();
  await gateway.close();
  rmSync(state, { recursive: true, force: true });
}
