/** Secrets of the workflows' credentials; made up for every run would do as well. */
export const SECRETS = {
  basic: { user: 'ann', password: 'open sesame' },
  header: { name: 'X-Flow-Key', value: 'flow-key-7' },
  jwt: 'a passphrase that is long enough for HS256',
};

export type Node = Record<string, unknown> & { readonly name: string };
export interface Flow {
  readonly name: string;
  readonly nodes: readonly Node[];
  readonly connections: Readonly<Record<string, unknown>>;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly pinData?: Readonly<Record<string, unknown>>;
}

let made = 0;
const identifier = () => `00000000-0000-4000-8000-${String(++made).padStart(12, '0')}`;

/** A Webhook node; what equals its default is left out, as the editor does. */
export function webhook(parameters: Record<string, unknown>, more: Record<string, unknown> = {}): Node {
  const { name = 'Webhook', ...rest } = more as { name?: string };
  return {
    parameters,
    type: 'n8n-nodes-base.webhook',
    typeVersion: 2.1,
    position: [0, 0],
    id: identifier(),
    webhookId: identifier(),
    name,
    ...rest,
  };
}

export function node(
  name: string,
  type: string,
  typeVersion: number,
  parameters: Record<string, unknown>,
): Node {
  return {
    name,
    type: `n8n-nodes-base.${type}`,
    typeVersion,
    parameters,
    position: [300, 0],
    id: identifier(),
  };
}

/** Answers with the JSON that the expression gives. */
export const setJson = (expression: string, name = 'Set') =>
  node(name, 'set', 3.4, { mode: 'raw', jsonOutput: expression, options: {} });

export const respond = (parameters: Record<string, unknown>) =>
  node('Respond', 'respondToWebhook', 1.5, parameters);

/** Frames whatever stands where the Webhook node does. */
export const sticky = (content: string): Node => ({
  ...node('Note', 'stickyNote', 1, { content, width: 400, height: 300 }),
  position: [-50, -50],
});

/** Nodes one after the other; notes stand beside. */
export function flow(name: string, ...nodes: readonly Node[]): Flow {
  const line = nodes.filter(({ type }) => type !== 'n8n-nodes-base.stickyNote');
  const connections = Object.fromEntries(
    line
      .slice(0, -1)
      .map(({ name: from }, index) => [
        from,
        { main: [[{ node: line[index + 1]!.name, type: 'main', index: 0 }]] },
      ]),
  );
  return { name, nodes, connections, settings: { executionOrder: 'v1' } };
}
