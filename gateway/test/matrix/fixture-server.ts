import { type CallToolResult, inputRequired, Server, type ServerContext } from '@modelcontextprotocol/server';

/** Counts what happens in one fixture process, over all its connections. */
interface Counts {
  cancelled: number;
  extraTool: boolean;
  reads: number;
}

const FORM: Parameters<typeof inputRequired.elicit>[0] = {
  message: 'Your name?',
  requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
};
const SAMPLING = {
  messages: [{ role: 'user', content: { type: 'text', text: 'Say hello' } }],
  maxTokens: 20,
} as const;

type Tool = {
  readonly description: string;
  readonly annotations?: object;
  readonly input?: object;
  run(args: Record<string, unknown>, context: ServerContext, server: Server): Promise<object> | object;
};

const text = (...lines: string[]): CallToolResult => ({
  content: lines.map((line) => ({ type: 'text', text: line })),
});
const readOnly = { readOnlyHint: true };

/** An upstream server with one tool for each thing that has to pass through. Announces changes by `changed`. */
export function createFixture(changed: (what: 'tools' | { resource: string }) => void) {
  const counts: Counts = { cancelled: 0, extraTool: false, reads: 0 };
  const tools: Record<string, Tool> = {
    echo: {
      description: 'Says what it is told.',
      annotations: readOnly,
      input: { properties: { text: { type: 'string' } }, required: ['text'] },
      run: ({ text: said }) => ({ ...text(String(said)), structuredContent: { said } }),
    },
    steps: {
      description: 'Reports three steps.',
      annotations: readOnly,
      async run(_args, { mcpReq }) {
        const progressToken = mcpReq._meta?.progressToken;
        for (const progress of [1, 2, 3]) {
          if (progressToken === undefined) break;
          await mcpReq.notify({
            method: 'notifications/progress',
            params: { progressToken, progress, total: 3, message: `step ${progress}` },
          });
        }
        return text('done');
      },
    },
    logs: {
      description: 'Writes a log line.',
      annotations: readOnly,
      async run(_args, { mcpReq }) {
        await mcpReq.log('warning', { line: 'from the fixture' }, 'fixture');
        return text('logged');
      },
    },
    waits: {
      description: 'Waits until it is cancelled; says by a step that it waits.',
      annotations: readOnly,
      async run(_args, { mcpReq }) {
        const cancelled = new Promise((resolve) => mcpReq.signal.addEventListener('abort', resolve));
        const progressToken = mcpReq._meta?.progressToken;
        if (progressToken !== undefined) {
          await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress: 1 } });
        }
        await cancelled;
        counts.cancelled++;
        return text('cancelled');
      },
    },
    counts: {
      description: 'Counts what happened.',
      annotations: readOnly,
      run: () => text(JSON.stringify(counts)),
    },
    asks: {
      description: 'Asks for a name.',
      annotations: readOnly,
      run(_args, { mcpReq }) {
        const answer = mcpReq.inputResponses?.['name'] as { content?: { name?: string } } | undefined;
        if (answer === undefined) {
          return inputRequired({
            inputRequests: { name: inputRequired.elicit(FORM) },
            requestState: 'asked',
          });
        }
        return text(`Hello, ${answer.content?.name ?? 'nobody'}!`, String(mcpReq.requestState()));
      },
    },
    samples: {
      description: 'Asks a model.',
      annotations: readOnly,
      run(_args, { mcpReq }) {
        const answer = mcpReq.inputResponses?.['said'] as { content?: { text?: string } } | undefined;
        if (answer !== undefined) return text(`It said ${answer.content?.text}`);
        return inputRequired({ inputRequests: { said: inputRequired.createMessage(SAMPLING as never) } });
      },
    },
    roots: {
      description: 'Asks for roots.',
      annotations: readOnly,
      run(_args, { mcpReq }) {
        const answer = mcpReq.inputResponses?.['roots'] as { roots?: object[] } | undefined;
        if (answer !== undefined) return text(JSON.stringify(answer.roots));
        return inputRequired({ inputRequests: { roots: inputRequired.listRoots() } });
      },
    },
    grows: {
      description: 'Adds a tool.',
      annotations: { readOnlyHint: false, destructiveHint: false },
      run() {
        counts.extraTool = true;
        changed('tools');
        return text('grown');
      },
    },
    touches: {
      description: 'Changes the watched resource.',
      annotations: { readOnlyHint: false, destructiveHint: false },
      run() {
        changed({ resource: 'fixture://watched' });
        return text('touched');
      },
    },
    links: {
      description: 'Links to a resource that no list names.',
      annotations: readOnly,
      run: () => ({ content: [{ type: 'resource_link', uri: 'hidden://page', name: 'page' }] }),
    },
  };
  const extra: Tool = { description: 'Was added.', annotations: readOnly, run: () => text('extra') };
  const offered = () => (counts.extraTool ? { ...tools, extra } : tools);

  return (): Server => {
    const server = new Server(
      { name: 'fixture', version: '1.0.0' },
      {
        capabilities: {
          tools: { listChanged: true },
          resources: { subscribe: true, listChanged: true },
          prompts: { listChanged: true },
          completions: {},
          logging: {},
        },
      },
    );
    server.setRequestHandler('tools/list', () => ({
      tools: Object.entries(offered()).map(([name, { description, annotations, input }]) => ({
        name,
        description,
        ...(annotations === undefined ? {} : { annotations }),
        inputSchema: { type: 'object' as const, ...input },
      })),
    }));
    server.setRequestHandler('tools/call', async ({ params }, context) => {
      const tool = offered()[params.name];
      if (tool === undefined) throw new Error(`There is no tool ${params.name}.`);
      return (await tool.run(params.arguments ?? {}, context, server)) as never;
    });
    server.setRequestHandler('resources/list', () => ({
      resources: [
        { uri: 'fixture://plain', name: 'plain', mimeType: 'text/plain' },
        { uri: 'fixture://watched', name: 'watched' },
      ],
    }));
    server.setRequestHandler('resources/templates/list', () => ({
      resourceTemplates: [{ uriTemplate: 'fixture://items/{id}', name: 'item' }],
    }));
    server.setRequestHandler('resources/read', ({ params: { uri } }) => {
      counts.reads++;
      return { contents: [{ uri, mimeType: 'text/plain', text: `content of ${uri}` }] };
    });
    server.setRequestHandler('resources/subscribe', () => ({}));
    server.setRequestHandler('resources/unsubscribe', () => ({}));
    server.setRequestHandler('prompts/list', () => ({
      prompts: [{ name: 'greet', description: 'A greeting.', arguments: [{ name: 'who', required: true }] }],
    }));
    server.setRequestHandler('prompts/get', ({ params }) => ({
      messages: [{ role: 'user', content: { type: 'text', text: `Greet ${params.arguments?.['who']}.` } }],
    }));
    server.setRequestHandler('completion/complete', ({ params: { argument } }) => ({
      completion: { values: ['Ada', 'Alan', 'Grace'].filter((name) => name.startsWith(argument.value)) },
    }));
    return server;
  };
}
