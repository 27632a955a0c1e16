import { isObject, type Json, type JsonObject, UNSAFE_KEYS } from '../../../operations/index.ts';
import type { DiagnosticLog } from '../diagnostics.ts';
import { type Located, selectNodes } from './json-path.ts';
import { SharedValues } from './shared-values.ts';

/**
 * OpenAPI Overlay 1.0 §4.3–4.4: actions in order, each removes or merges into what its target selects.
 * Changes the document in place. An action that cannot be applied is reported and left out.
 */
export function applyOverlay(root: JsonObject, overlay: unknown, location: string, log: DiagnosticLog): void {
  const actions = isObject(overlay) && typeof overlay.overlay === 'string' ? overlay.actions : undefined;
  if (!Array.isArray(actions)) {
    log.report(
      'overlay-invalid',
      'error',
      `${location} is no OpenAPI Overlay document with actions; it is not applied.`,
    );
    return;
  }
  const shared = new SharedValues(root);
  for (const [index, action] of actions.entries()) {
    const pointer = `${location}#/actions/${index}`;
    if (!isObject(action) || typeof action.target !== 'string') {
      log.report('overlay-invalid', 'error', 'An overlay action needs a target; it is not applied.', pointer);
      continue;
    }
    try {
      const nodes = selectNodes(root, action.target);
      if (nodes.length === 0) {
        log.report(
          'overlay-unmatched',
          'warning',
          `The overlay target ${action.target} selects nothing.`,
          pointer,
        );
      }
      if (action.remove === true) remove(nodes, shared);
      else if (action.update !== undefined) for (const node of nodes) update(node, action.update, shared);
    } catch (error) {
      const message = `The overlay target ${action.target} is not understood (${(error as Error).message}); the action is not applied.`;
      log.report('overlay-invalid', 'error', message, pointer);
    }
  }
}

/** Each once, and of one array the last first: a target may select in any order, and the same node twice. */
function remove(nodes: readonly Located[], shared: SharedValues): void {
  const items = new Map<Json[], Set<number>>();
  for (const { from, key } of nodes) {
    const parent = from && shared.own(from);
    if (Array.isArray(parent)) items.set(parent, (items.get(parent) ?? new Set()).add(key as number));
    else if (isObject(parent)) delete parent[key as string];
  }
  for (const [parent, indexes] of items)
    for (const index of [...indexes].sort((a, b) => b - a)) parent.splice(index, 1);
}

function update(node: Located, change: Json, shared: SharedValues): void {
  const value = shared.own(node);
  if (isObject(value) && isObject(change)) merge(value, change, shared);
  else if (Array.isArray(value)) value.push(...(Array.isArray(change) ? change : [change]).map(copy));
  else {
    const parent = node.from && shared.own(node.from);
    if (Array.isArray(parent)) parent[node.key as number] = copy(change);
    else if (isObject(parent)) parent[node.key as string] = copy(change);
  }
}

function merge(target: JsonObject, change: JsonObject, shared: SharedValues): void {
  for (const [key, value] of Object.entries(change)) {
    if (UNSAFE_KEYS.has(key)) continue;
    const known = shared.member(target, key);
    if (isObject(known) && isObject(value)) merge(known, value, shared);
    else if (Array.isArray(known) && Array.isArray(value)) known.push(...value.map(copy));
    else target[key] = copy(value);
  }
}

/** Each place gets its own value: a later action may change one of them. */
function copy(value: Json): Json {
  if (Array.isArray(value)) return value.map(copy);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, copy(member)]));
}
