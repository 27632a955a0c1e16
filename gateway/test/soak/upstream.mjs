// A small MCP server on standard input and output, by hand so that it needs no library: one tool that echoes.
import { createInterface } from 'node:readline';

const tool = {
  name: 'echo',
  description: 'Gives back what it was given.',
  inputSchema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
  annotations: { readOnlyHint: true, openWorldHint: false },
};
const ANSWERS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion: protocolVersion.startsWith('2025') ? protocolVersion : '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'echo', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools: [tool] }),
  'tools/call': ({ arguments: { n } }) => ({ content: [{ type: 'text', text: `echo ${n}` }] }),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = ANSWERS[method];
  const outcome = answer
    ? { result: answer(params ?? {}) }
    : { error: { code: -32601, message: `no method ${method}` } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...outcome })}\n`);
});
process.stdin.on('end', () => process.exit(0));
