import { isObject } from '../../operations/index.ts';
import { mergeAnnotations } from './annotation.ts';
import { notesOf } from './notes.ts';
import type { Reading } from './reading.ts';
import { isWanted } from './select-workflows.ts';
import { WEBHOOK_NODE, type Webhook, webhooksOf } from './webhook.ts';
import type { Workflow, WorkflowNode } from './workflow.ts';

/** Every Webhook node of an active workflow, with every method that it answers to. */
export function readDiscovered(reading: Reading, workflow: Workflow): void {
  if (!workflow.active || workflow.archived || !isWanted(workflow, reading.config)) return;
  const nodes = workflow.nodes.filter(isWebhook);
  for (const node of nodes) {
    try {
      const webhooks = webhooksOf(node);
      for (const webhook of webhooks) {
        readWebhook(reading, workflow, node, webhook, nodes, webhooks.length);
      }
    } catch (error) {
      reading.skip(error, workflow.name, node.name);
    }
  }
}

/** One that answers in production. */
export function isWebhook({ type, disabled }: WorkflowNode): boolean {
  return type === WEBHOOK_NODE && !disabled;
}

function readWebhook(
  reading: Reading,
  workflow: Workflow,
  node: WorkflowNode,
  webhook: Webhook,
  nodes: readonly WorkflowNode[],
  methods: number,
): void {
  try {
    const annotation = mergeAnnotations([
      ...reading.sidecar.annotations(workflow, node.name),
      notesOf(workflow, node, nodes),
    ]);
    const pinned = reading.config.pinnedData === false ? undefined : workflow.pinned[node.name];
    const part = partOf(node, webhook, nodes.length, methods);
    reading.add(
      { workflow, webhook, annotation, part, sample: isObject(pinned) ? pinned : undefined },
      false,
    );
  } catch (error) {
    reading.skip(error, workflow.name, node.name, webhook);
  }
}

/** Of several webhooks of one workflow: the node's name, the method, or both. */
function partOf(node: WorkflowNode, { method }: Webhook, nodes: number, methods: number): string | undefined {
  const parts = [...(nodes > 1 ? [node.name] : []), ...(methods > 1 ? [method.toLowerCase()] : [])];
  return parts.length === 0 ? undefined : parts.join(' ');
}
