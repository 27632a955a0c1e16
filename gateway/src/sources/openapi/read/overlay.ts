import { isObject, type Json, type JsonObject, UNSAFE_KEYS } from '../../../operations/index.ts';
import type { DiagnosticLog } from '../diagnostics.ts';
import { type Located, selectNodes } from './json-path.ts';

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
      if (action.remove === true) remove(nodes);
      else if (action.update !== undefined) for (const node of nodes) update(node, action.update);
    } catch (error) {
      const message = `The overlay target ${action.target} is not understood (${(error as Error).message}); the action is not applied.`;
      log.report('overlay-invalid', 'error', message, pointer);
    }
  }
}

/** From the end, so that indexes of one array stay right. */
function remove(nodes: readonly Located[]): void {
  for (const { parent, key } of nodes.toReversed()) {
    if (Array.isArray(parent)) parent.splice(key as number, 1);
    else if (parent !== undefined) delete parent[key as string];
  }
}

function update(node: Located, change: Json): void {
  const { value, parent, key } = node;
  if (isObject(value) && isObject(change)) merge(value, change);
  else if (Array.isArray(value)) value.push(...(Array.isArray(change) ? change : [change]));
  else if (Array.isArray(parent)) parent[key as number] = change;
  else if (parent !== undefined) parent[key as string] = change;
}

function merge(target: JsonObject, change: JsonObject): void {
  for (const [key, value] of Object.entries(change)) {
    if (UNSAFE_KEYS.has(key)) continue;
    const known = target[key];
    if (isObject(known) && isObject(value)) merge(known, value);
    else if (Array.isArray(known) && Array.isArray(value)) known.push(...value);
    else target[key] = isObject(value) || Array.isArray(value) ? copy(value) : value;
  }
}

/** Each place gets its own value: a later action may change one of them. */
function copy(value: Json): Json {
  if (Array.isArray(value)) return value.map(copy);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, copy(member)]));
}
