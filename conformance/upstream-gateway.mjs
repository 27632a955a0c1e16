import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const TOOLCRIB = fileURLToPath(new URL('../gateway/bin/toolcrib.mjs', import.meta.url));
const CAPABILITIES = {
  elicitation: { form: { applyDefaults: true }, url: {} },
  sampling: {},
  roots: {},
};

/** An official client that can be asked everything, on the standard input and output of a gateway. */
export async function connectGateway(file, isLegacy) {
  const client = new Client(
    { name: 'toolcrib-conformance', version: '1.0.0' },
    { capabilities: CAPABILITIES, versionNegotiation: { mode: isLegacy ? 'legacy' : 'auto' } },
  );
  client.setRequestHandler('elicitation/create', async ({ params }) => answerForm(params));
  client.setRequestHandler('roots/list', async () => ({ roots: [] }));
  client.setRequestHandler('sampling/createMessage', async () => ({
    role: 'assistant',
    model: 'a-model',
    content: { type: 'text', text: 'An answer.' },
  }));
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [TOOLCRIB, 'serve', '--config', file, '--stdio'],
      stderr: 'inherit',
    }),
  );
  return client;
}

/** Agrees to everything and fills in nothing but what has no default. */
function answerForm({ requestedSchema = {} }) {
  const properties = Object.entries(requestedSchema.properties ?? {});
  if (properties.some(([name]) => name === 'decision'))
    return { action: 'accept', content: { decision: 'approve' } };
  const open = properties.filter(([, { default: given }]) => given === undefined);
  return { action: 'accept', content: Object.fromEntries(open.map(([name, one]) => [name, filled(one)])) };
}

const filled = ({ type }) => ({ boolean: true, integer: 1, number: 1 })[type] ?? 'text';

/** What `toolcrib upstream status up` finds. */
export async function status(file) {
  const { stdout, stderr } = await toolcrib(['upstream', 'status', 'up', '--config', file, '--json']);
  const first = stdout === '' ? JSON.parse(stderr) : JSON.parse(stdout).servers[0];
  return first;
}

/** `toolcrib upstream login up`, its address opened by a browser that agrees. The code of the error, or undefined. */
export async function login(file) {
  const args = ['upstream', 'login', 'up', '--config', file, '--json', '--timeout', '60000'];
  const browsing = [];
  const { code, stderr } = await toolcrib(args, (line) => {
    const address = /^https?:\/\/\S+$/.exec(line)?.[0];
    if (address !== undefined) browsing.push(browse(address));
  });
  await Promise.all(browsing);
  if (code === 0) return undefined;
  console.error(stderr);
  const last = stderr.slice(stderr.indexOf('{'));
  return JSON.parse(last).error.code;
}

/** Follows the redirects of a server that agrees at once; what the last page says does not matter. */
async function browse(address) {
  try {
    await (await fetch(address)).text();
  } catch (error) {
    console.error(`The browser: ${error.message}`);
  }
}

async function toolcrib(args, onNote = () => undefined) {
  const child = spawn(process.execPath, [TOOLCRIB, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const written = { stdout: [], stderr: [] };
  for (const stream of ['stdout', 'stderr'])
    createInterface({ input: child[stream] }).on('line', (line) => {
      written[stream].push(line);
      if (stream === 'stderr') onNote(line);
    });
  const [code] = await once(child, 'close');
  return { code, stdout: written.stdout.join('\n'), stderr: written.stderr.join('\n') };
}
