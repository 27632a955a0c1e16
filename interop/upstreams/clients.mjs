import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

/** What a person writes whatever a form asks; of other fields those that are needed get their first choice. */
const KNOWN = { decision: 'approve', name: 'Ada', check: true };

function filled({ properties = {}, required = [] } = {}) {
  const fields = Object.entries(properties).flatMap(([name, { oneOf, enum: values }]) => {
    if (Object.hasOwn(KNOWN, name)) return [[name, KNOWN[name]]];
    return required.includes(name) ? [[name, oneOf?.[0]?.const ?? values?.[0] ?? 'any']] : [];
  });
  return Object.fromEntries(fields);
}

/** What a person answers: agrees to every approval, fills every form so that it fits. */
function answers(client) {
  client.setRequestHandler('elicitation/create', async ({ params }) => ({
    action: 'accept',
    content: filled(params.requestedSchema),
  }));
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
