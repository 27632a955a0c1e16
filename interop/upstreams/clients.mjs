import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

/** What a person answers: agrees to every approval, fills every form with its defaults. */
function answers(client) {
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    const properties = params.requestedSchema?.properties ?? {};
    if (Object.hasOwn(properties, 'decision')) return { action: 'accept', content: { decision: 'approve' } };
    return { action: 'accept', content: { name: 'Ada', check: true } };
  });
  client.setRequestHandler('sampling/createMessage', async ({ params }) => ({
    role: 'assistant',
    model: 'a-model',
    content: { type: 'text', text: `answer to ${JSON.stringify(params.messages.at(-1)?.content).length}` },
  }));
  client.setRequestHandler('roots/list', async () => ({ roots: [] }));
}

/** An official client that can be asked everything. */
export async function connect(transport, mode = 'legacy') {
  const client = new Client(
    { name: 'interop', version: '1.0.0' },
    {
      capabilities: { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} },
      versionNegotiation: { mode },
    },
  );
  answers(client);
  await client.connect(transport);
  return client;
}

export function overStdio(command, args, env = {}) {
  return new StdioClientTransport({ command, args, env: { ...process.env, ...env }, stderr: 'pipe' });
}
