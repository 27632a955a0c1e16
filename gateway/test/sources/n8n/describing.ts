import { n8nShape } from '../../../src/config/schema/n8n.ts';
import type { Description, HttpInvocation, JsonObject, Operation } from '../../../src/operations/index.ts';
import type { N8nConfig } from '../../../src/sources/n8n/config.ts';
import { describeN8n } from '../../../src/sources/n8n/describe.ts';
import type { ReadAccess } from '../../../src/sources/source-kind.ts';

/** What was asked of the reader. */
export interface Asked {
  readonly location: string;
  readonly access: ReadAccess | undefined;
}

/** Describes an instance that answers with these pages, one after the other; files come from `files`. */
export async function describeWorkflows(
  pages: readonly unknown[],
  settings: Partial<N8nConfig> = {},
  files: Readonly<Record<string, string>> = {},
): Promise<Description & { readonly asked: readonly Asked[] }> {
  const config = n8nShape.parse({ url: 'http://127.0.0.1:5678', apiKey: 'key', ...settings });
  const rest = [...pages];
  const asked: Asked[] = [];
  const reader = {
    async read(location: string, _signal: AbortSignal, access?: ReadAccess) {
      asked.push({ location, access });
      const answer = files[location] ?? rest.shift();
      return new TextEncoder().encode(typeof answer === 'string' ? answer : JSON.stringify(answer));
    },
  };
  const { signal } = new AbortController();
  return { ...(await describeN8n(config, { name: 'flows', baseDirectory: '/base', reader, signal })), asked };
}

/** The operations of one workflow that is active and has these nodes. */
export async function describeNodes(
  nodes: readonly object[],
  workflow: object = {},
  settings: Partial<N8nConfig> = {},
): Promise<Description> {
  return describeWorkflows([page([{ ...active('Orders', nodes), ...workflow }])], settings);
}

export function page(data: readonly unknown[], nextCursor: string | null = null) {
  return { data, nextCursor };
}

export function active(name: string, nodes: readonly object[], id = name) {
  return { id, name, active: true, isArchived: false, nodes, connections: {}, settings: {}, tags: [] };
}

/** A Webhook node as n8n writes it: what equals its default is left out. */
export function webhook(parameters: JsonObject = {}, node: object = {}) {
  return {
    id: 'f3b1',
    name: 'Webhook',
    type: 'n8n-nodes-base.webhook',
    typeVersion: 2.1,
    position: [0, 0],
    webhookId: 'a8a1b1c6-0000-4000-8000-000000000001',
    parameters,
    ...node,
  };
}

export function sticky(content: string, node: object = {}) {
  return {
    id: 's1',
    name: 'Sticky Note',
    type: 'n8n-nodes-base.stickyNote',
    typeVersion: 1,
    position: [-2000, -2000],
    parameters: { content },
    ...node,
  };
}

export function fence(name: string, content: string): string {
  return `\`\`\`${name}\n${content}\n\`\`\``;
}

export function http({ invocation }: Operation): HttpInvocation {
  if (invocation.kind !== 'http') throw new Error(`The operation is ${invocation.kind}.`);
  return invocation;
}
