import { isObject, type JsonObject } from '../../operations/index.ts';

/** One node of a workflow, as far as tools need it; parameters equal to their default are left out by n8n. */
export interface WorkflowNode {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly typeVersion: number;
  readonly position: readonly [x: number, y: number];
  readonly parameters: JsonObject;
  readonly webhookId: string | undefined;
  readonly disabled: boolean;
  readonly notes: string | undefined;
  /** Name of the credential, by credential type; the value is never told. */
  readonly credentials: Readonly<Record<string, string>>;
}

export interface Workflow {
  readonly id: string;
  readonly name: string;
  readonly description: string | undefined;
  readonly active: boolean;
  readonly archived: boolean;
  readonly tags: readonly string[];
  /** The nodes that run in production. */
  readonly nodes: readonly WorkflowNode[];
  /** First pinned item, by node name. */
  readonly pinned: JsonObject;
}

/**
 * A workflow of the public API. Since n8n 2 editing changes a draft, and what runs is the version that was published:
 * its nodes count where it is there. Undefined for what is no workflow.
 */
export function readWorkflow(value: unknown): Workflow | undefined {
  if (!isObject(value)) return undefined;
  const { id, name, active, isArchived, tags, pinData, description } = value;
  const published = isObject(value['activeVersion']) ? value['activeVersion'] : value;
  const nodes = Array.isArray(published['nodes']) ? published['nodes'] : value['nodes'];
  if ((typeof id !== 'string' && typeof id !== 'number') || typeof name !== 'string' || !Array.isArray(nodes))
    return undefined;
  return {
    id: String(id),
    name,
    description: typeof description === 'string' && description.trim() !== '' ? description : undefined,
    active: active === true,
    archived: isArchived === true,
    tags: Array.isArray(tags) ? tags.flatMap(tagName) : [],
    nodes: nodes.flatMap((node) => readNode(node) ?? []),
    pinned: firstPinned(pinData),
  };
}

function readNode(value: unknown): WorkflowNode | undefined {
  if (!isObject(value) || typeof value['name'] !== 'string' || typeof value['type'] !== 'string')
    return undefined;
  const { id, name, type, typeVersion, position, parameters, webhookId, disabled, notes, credentials } =
    value;
  const [x, y] = Array.isArray(position) ? position : [];
  return {
    id: typeof id === 'string' ? id : name,
    name,
    type,
    typeVersion: typeof typeVersion === 'number' ? typeVersion : 1,
    position: [Number(x ?? 0), Number(y ?? 0)],
    parameters: isObject(parameters) ? parameters : {},
    webhookId: typeof webhookId === 'string' && webhookId !== '' ? webhookId : undefined,
    disabled: disabled === true,
    notes: typeof notes === 'string' && notes.trim() !== '' ? notes : undefined,
    credentials: credentialNames(credentials),
  };
}

function credentialNames(credentials: unknown): Record<string, string> {
  const names: Record<string, string> = {};
  for (const [type, credential] of Object.entries(isObject(credentials) ? credentials : {})) {
    if (isObject(credential) && typeof credential['name'] === 'string') names[type] = credential['name'];
  }
  return names;
}

function tagName(tag: unknown): string[] {
  if (typeof tag === 'string') return [tag];
  return isObject(tag) && typeof tag['name'] === 'string' ? [tag['name']] : [];
}

function firstPinned(pinData: unknown): JsonObject {
  const pinned: JsonObject = {};
  for (const [node, items] of Object.entries(isObject(pinData) ? pinData : {})) {
    const [first] = Array.isArray(items) ? items : [];
    if (!isObject(first)) continue;
    const { json } = first;
    pinned[node] = isObject(json) ? json : first;
  }
  return pinned;
}
