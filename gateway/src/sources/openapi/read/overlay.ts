import { isObject, type Json, type JsonObject, UNSAFE_KEYS } from '../../../operations/index.ts';
import type { DiagnosticLog } from '../diagnostics.ts';
import { type Location, selectLocations } from './json-path.ts';
import { SharedValues } from './shared-values.ts';

/**
 * OpenAPI Overlay 1.0 §4.3–4.4: actions in order, each removes or merges into what its target selects.
 * Changes the document in place. An action that cannot be applied is reported and left out.
 */
export async function applyOverlay(
  root: JsonObject,
  overlay: unknown,
  place: string,
  log: DiagnosticLog,
): Promise<void> {
  const actions = isObject(overlay) && typeof overlay.overlay === 'string' ? overlay.actions : undefined;
  if (!Array.isArray(actions)) {
    log.report(
      'overlay-invalid',
      'error',
      `${place} is no OpenAPI Overlay document with actions; it is not applied.`,
    );
    return;
  }
  const shared = new SharedValues(root);
  for (const [index, action] of actions.entries()) {
    const pointer = `${place}#/actions/${index}`;
    if (!isObject(action) || typeof action.target !== 'string') {
      log.report('overlay-invalid', 'error', 'An overlay action needs a target; it is not applied.', pointer);
      continue;
    }
    try {
      const locations = await selectLocations(root, action.target);
      if (locations.length === 0) {
        log.report(
          'overlay-unmatched',
          'warning',
          `The overlay target ${action.target} selects nothing.`,
          pointer,
        );
      }
      if (action.remove === true) remove(locations, shared);
      else if (action.update !== undefined)
        for (const location of locations) update(location, action.update, shared);
    } catch (error) {
      const message = `The overlay target ${action.target} is not understood (${(error as Error).message}); the action is not applied.`;
      log.report('overlay-invalid', 'error', message, pointer);
    }
  }
}

/** Each once, and of one array the last first: a target may select in any order, and the same node twice. */
function remove(locations: readonly Location[], shared: SharedValues): void {
  const items = new Map<Json[], Set<number>>();
  for (const location of locations) {
    const [parent, key] = [parentOf(location, shared), location.at(-1)];
    if (Array.isArray(parent)) items.set(parent, (items.get(parent) ?? new Set()).add(key as number));
    else if (isObject(parent)) delete parent[key as string];
  }
  for (const [parent, indexes] of items)
    for (const index of [...indexes].sort((a, b) => b - a)) parent.splice(index, 1);
}

function update(location: Location, change: Json, shared: SharedValues): void {
  const value = shared.own(location);
  if (isObject(value) && isObject(change)) merge(value, change, shared);
  else if (Array.isArray(value)) value.push(...(Array.isArray(change) ? change : [change]).map(copy));
  else {
    const [parent, key] = [parentOf(location, shared), location.at(-1)];
    if (Array.isArray(parent)) parent[key as number] = copy(change);
    else if (isObject(parent)) parent[key as string] = copy(change);
  }
}

/** The root hangs nowhere. */
function parentOf(location: Location, shared: SharedValues): Json | undefined {
  return location.length === 0 ? undefined : shared.own(location.slice(0, -1));
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
