import {
  type Answer,
  type LoopbackService,
  type ReceivedRequest,
  startLoopbackService,
} from './loopback-service.ts';
import type { DoubleCredentials } from './n8n-node.ts';
import { answered, type DoubleWorkflow, json } from './n8n-webhooks.ts';

export type { DoubleNode } from './n8n-node.ts';
export { type DoubleWorkflow, Responded } from './n8n-webhooks.ts';

export interface N8nDouble extends LoopbackService {
  readonly apiKey: string;
  /** What is active from now on. */
  publish(...workflows: readonly DoubleWorkflow[]): void;
}

const TEXT_TYPE = { 'content-type': 'text/html; charset=utf-8' };

/** n8n 2.41.1 as far as tools meet it: its public API's list of workflows, and its production webhooks. */
export async function startN8n(
  options: { readonly credentials?: DoubleCredentials; readonly pageSize?: number } = {},
): Promise<N8nDouble> {
  const apiKey = 'n8n-double-key';
  let workflows: readonly DoubleWorkflow[] = [];
  const service = await startLoopbackService('', (request) => {
    if (request.path === '/api/v1/workflows')
      return listed(request, workflows, apiKey, options.pageSize ?? 100);
    if (request.path.startsWith('/webhook/')) return answered(request, workflows, options.credentials ?? {});
    return { status: 404, headers: TEXT_TYPE, body: 'Not Found' };
  });
  return {
    ...service,
    apiKey,
    publish: (...next) => {
      workflows = next;
    },
  };
}

function listed(
  { headers, query }: ReceivedRequest,
  workflows: readonly DoubleWorkflow[],
  apiKey: string,
  pageSize: number,
): Answer {
  const given = headers['x-n8n-api-key'];
  if (given !== apiKey) return json(401, { message: 'Unauthorized' });
  const asked = new Map(query);
  const tags = asked.get('tags')?.split(',') ?? [];
  const found = workflows
    .filter(({ active = true }) => asked.get('active') !== 'true' || active)
    .filter((workflow) => tags.every((tag) => workflow.tags?.includes(tag)));
  const limit = Math.min(Number(asked.get('limit') ?? 100), pageSize);
  const offset = Number(Buffer.from(asked.get('cursor') ?? '', 'base64').toString() || 0);
  const more = offset + limit < found.length;
  return json(200, {
    data: found.slice(offset, offset + limit).map((workflow) => shown(workflow, asked)),
    nextCursor: more ? Buffer.from(String(offset + limit)).toString('base64') : null,
  });
}

function shown(
  { run: _run, tags = [], pinData, ...workflow }: DoubleWorkflow,
  asked: Map<string, string>,
): object {
  const active = workflow.active ?? true;
  const nodes = workflow.nodes.map((node, index) => ({
    id: `n${index}`,
    typeVersion: 2.1,
    position: [0, 0],
    ...node,
  }));
  return {
    isArchived: false,
    versionId: 'v1',
    triggerCount: 1,
    connections: {},
    settings: { executionOrder: 'v1' },
    staticData: null,
    meta: null,
    ...workflow,
    active,
    nodes,
    activeVersion: active ? { versionId: 'v1', nodes, connections: {} } : null,
    tags: tags.map((name) => ({ id: name, name })),
    ...(asked.get('excludePinnedData') === 'true' ? {} : { pinData: pinData ?? null }),
  };
}
