import { type Flow, flow, node, respond, setJson, sticky, webhook } from './flows.ts';

/** Ids of the credentials that were made in the instance. */
export interface CredentialIds {
  readonly basic: string;
  readonly header: string;
  readonly jwt: string;
}

/** A workflow, how its tool is called, and what the caller must get. */
export interface Case {
  readonly flow: Flow;
  readonly tool: string;
  readonly arguments: Record<string, unknown>;
  readonly structured?: unknown;
  /** Part of the text of the answer. */
  readonly text?: RegExp;
  readonly isError?: boolean;
  /** What the tool takes: arguments by name, each with its members' names. */
  readonly takes?: Readonly<Record<string, readonly string[]>>;
}

const echo = () => setJson('={{ { body: $json.body, query: $json.query, params: $json.params } }}');
const body = { order: 'A-7', lines: [{ sku: 'x', count: 2 }] };
const post = (path: string, more: Record<string, unknown> = {}) => ({
  path,
  httpMethod: 'POST',
  responseMode: 'lastNode',
  options: {},
  ...more,
});
const fence = (name: string, content: string) => `\`\`\`${name}\n${content}\n\`\`\``;
const NUMBER = 'type: object\nrequired: [number]\nproperties: { number: { type: integer } }';

/** Every authentication, every response mode, and the ways in which a workflow fails. */
export function casesOf(ids: CredentialIds): readonly Case[] {
  const authentications: readonly [
    name: string,
    type: string,
    credential: Record<string, { id: string; name: string }>,
  ][] = [
    ['basicAuth', 'basic', { httpBasicAuth: { id: ids.basic, name: 'Basic login' } }],
    ['headerAuth', 'header', { httpHeaderAuth: { id: ids.header, name: 'Flow key' } }],
    ['jwtAuth', 'jwt', { jwtAuth: { id: ids.jwt, name: 'Signed' } }],
  ];
  const methods = ['get', 'post'];
  const both = webhook({ path: 'methods', multipleMethods: true, responseMode: 'lastNode', options: {} });
  const answers = methods.map((method) => setJson(`={{ { method: "${method}" } }}`, method));
  const twoMethods: Flow = {
    ...flow('Methods', both, ...answers),
    connections: {
      Webhook: { main: methods.map((name) => [{ node: name, type: 'main', index: 0 }]) },
    },
  };
  const sent = { structured: { body, query: {}, params: {} } };
  return [
    { flow: flow('Echo', webhook(post('echo')), echo()), tool: 'n8n_Echo', arguments: { body }, ...sent },
    ...authentications.map(([authentication, name, credentials]) => ({
      flow: flow(`Auth ${name}`, webhook(post(`auth-${name}`, { authentication }), { credentials }), echo()),
      tool: `n8n_Auth_${name}`,
      arguments: { body },
      ...sent,
    })),
    {
      flow: flow('Query', webhook({ path: 'query', responseMode: 'lastNode', options: {} }), echo()),
      tool: 'n8n_Query',
      arguments: { query: { page: 2, tag: ['a', 'b'] } },
      structured: { body: {}, query: { page: '2', tag: ['a', 'b'] }, params: {} },
    },
    {
      flow: flow(
        'Query list',
        webhook(
          { path: 'query-list', responseMode: 'lastNode', options: {} },
          {
            notes: fence('toolcrib-input', 'type: object\nproperties: { tag: { type: array, items: {} } }'),
          },
        ),
        echo(),
      ),
      tool: 'n8n_Query_list',
      arguments: { tag: ['a'] },
      structured: { body: {}, query: { tag: ['a'] }, params: {} },
    },
    {
      flow: flow('注文', webhook(post('orders/find')), echo()),
      tool: 'n8n_post_orders_find',
      arguments: { body },
      ...sent,
    },
    {
      flow: flow(
        'No item',
        webhook(post('no-item')),
        setJson('={{ { items: [] } }}'),
        node('Split', 'splitOut', 1, { fieldToSplitOut: 'items', options: {} }),
      ),
      tool: 'n8n_No_item',
      arguments: {},
      text: /No item to return was found\n/,
      isError: true,
    },
    {
      flow: flow('Path', webhook(post('users/:id/orders')), echo()),
      tool: 'n8n_Path',
      arguments: { id: '7 ü', body },
      structured: { body, query: {}, params: { id: '7 ü' } },
    },
    {
      flow: flow('Started', webhook({ path: 'started', httpMethod: 'POST', options: {} }), echo()),
      tool: 'n8n_Started',
      arguments: { body },
      structured: { message: 'Workflow was started' },
    },
    {
      flow: flow(
        'All entries',
        webhook(post('all', { responseData: 'allEntries' })),
        setJson('={{ { items: [{ a: 1 }, { a: 2 }] } }}'),
        node('Split', 'splitOut', 1, { fieldToSplitOut: 'items', options: {} }),
      ),
      tool: 'n8n_All_entries',
      arguments: {},
      structured: { result: [{ a: 1 }, { a: 2 }] },
    },
    {
      flow: flow(
        'File',
        webhook(post('file', { responseData: 'firstEntryBinary' })),
        setJson('={{ { text: "hello" } }}'),
        node('To file', 'convertToFile', 1.1, { operation: 'toText', sourceProperty: 'text', options: {} }),
      ),
      tool: 'n8n_File',
      arguments: {},
      text: /hello/,
    },
    {
      flow: flow('No data', webhook(post('no-data', { responseData: 'noData' })), echo()),
      tool: 'n8n_No_data',
      arguments: {},
      text: /200 OK/,
    },
    {
      flow: flow(
        'Respond',
        webhook(post('respond', { responseMode: 'responseNode' }), {
          notes: `Numbers an order.\n${fence('toolcrib-output', NUMBER)}\n${fence('toolcrib', 'access: read')}`,
        }),
        respond({
          respondWith: 'json',
          responseBody:
            '={{ JSON.stringify($json.body.order ? { number: 7 } : { error: "no such order" }) }}',
          options: {},
        }),
      ),
      tool: 'n8n_Respond',
      arguments: { body: { order: 'A' } },
      structured: { number: 7 },
    },
    {
      flow: flow(
        'Respond text',
        webhook(post('respond-text', { responseMode: 'responseNode' })),
        respond({ respondWith: 'text', responseBody: 'plain words', options: {} }),
      ),
      tool: 'n8n_Respond_text',
      arguments: {},
      text: /plain words/,
    },
    {
      flow: flow(
        'Fail',
        webhook(post('fail')),
        node('Stop', 'stopAndError', 1, { errorMessage: 'out of stock' }),
      ),
      tool: 'n8n_Fail',
      arguments: {},
      text: /Error in workflow/,
      isError: true,
    },
    ...methods.map((method) => ({
      flow: twoMethods,
      tool: `n8n_Methods_${method}`,
      arguments: {},
      structured: { method },
    })),
    {
      flow: flow(
        'Stream',
        webhook(post('stream', { responseMode: 'streaming' })),
        respond({ respondWith: 'json', responseBody: '{"ok":true}', options: { enableStreaming: true } }),
      ),
      tool: 'n8n_Stream',
      arguments: {},
      text: /"type":"item"/,
    },
    {
      flow: flow('No bots', webhook(post('no-bots', { options: { ignoreBots: true } })), echo()),
      tool: 'n8n_No_bots',
      arguments: { body },
      ...sent,
    },
    {
      flow: flow(
        'Noted',
        webhook(post('noted')),
        sticky(fence('toolcrib-input', 'type: object\nproperties: { count: { type: integer } }')),
        echo(),
      ),
      tool: 'n8n_Noted',
      takes: { count: [] },
      arguments: { count: 3 },
      structured: { body: { count: 3 }, query: {}, params: {} },
    },
    {
      flow: {
        ...flow('Pinned', webhook(post('pinned')), echo()),
        pinData: { Webhook: [{ json: { headers: {}, params: {}, query: {}, body } }] },
      },
      tool: 'n8n_Pinned',
      takes: { body: ['order', 'lines'] },
      arguments: { body },
      ...sent,
    },
  ];
}
