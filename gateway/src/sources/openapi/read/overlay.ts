import { isObject, type Json, type JsonObject, UNSAFE_KEYS } from '../../../operations/index.ts';
import { pointerTo } from '../../../operations/text/document-path.ts';
import type { DiagnosticLog } from '../diagnostics.ts';
import { type Location, type Selection, select } from './json-path.ts';
import { minorVersion, type OverlayAction, readAction } from './overlay-actions.ts';
import { SharedValues } from './shared-values.ts';

/** Values that the actions of an overlay may write in all: copies of what holds copies double it each time. */
const MAX_WRITTEN = 1_000_000;

/**
 * OpenAPI Overlay 1.0 to 1.2: actions in order, each removes, or merges into, what its target selects. Changes the
 * document in place. An action that cannot be applied is reported and left out.
 */
export async function applyOverlay(
  root: JsonObject,
  overlay: unknown,
  place: string,
  log: DiagnosticLog,
): Promise<void> {
  const invalid = (message: string, pointer?: string) =>
    log.report('overlay-invalid', 'error', message, pointer);
  if (!isObject(overlay) || overlay.overlay === undefined || !Array.isArray(overlay.actions)) {
    invalid(`${place} is no OpenAPI Overlay document with actions; it is not applied.`);
    return;
  }
  const minor = minorVersion(overlay.overlay);
  if (minor === undefined) {
    const said = JSON.stringify(overlay.overlay);
    invalid(`${place} is of Overlay ${said}; 1.0, 1.1 and 1.2 can be applied, and this one is not.`);
    return;
  }
  const document = new OverlaidDocument(root, minor > 0);
  for (const [index, entry] of overlay.actions.entries()) {
    const pointer = `${place}#/actions/${index}`;
    const action = readAction(entry, overlay);
    if (typeof action === 'string') {
      invalid(`${action}; it is not applied.`, pointer);
      continue;
    }
    try {
      if ((await document.apply(action)) > 0) continue;
      const message = `The overlay target ${action.target} selects nothing.`;
      log.report('overlay-unmatched', 'warning', message, pointer);
    } catch (error) {
      invalid(`${(error as Error).message}; the action is not applied.`, pointer);
    }
  }
}

/** A document that actions change, one after the other. */
class OverlaidDocument {
  readonly #root: JsonObject;
  readonly #shared: SharedValues;
  /** Since Overlay 1.1 (§4.4.3) what is merged fits its place; before, it replaced what it did not fit. */
  readonly #isStrict: boolean;
  #left = MAX_WRITTEN;

  constructor(root: JsonObject, isStrict: boolean) {
    this.#root = root;
    this.#shared = new SharedValues(root);
    this.#isStrict = isStrict;
  }

  /** How many places were changed. Throws what is wrong with the action. */
  async apply(action: OverlayAction): Promise<number> {
    const { locations: places } = await this.#select(action.target, 'target');
    if (action.does === 'remove') remove(places, this.#shared);
    else if (action.does === 'update') this.#merge(places, action.update);
    else {
      const source = await this.#valueOf(action.copy);
      // a place may lie in what is copied into it
      this.#merge(places, source, copy);
    }
    return places.length;
  }

  #merge(places: readonly Location[], change: Json, prepare = (value: Json) => value): void {
    for (const place of this.#isStrict ? places : []) {
      const misfit = misfitOf(this.#shared.own(place), change, place);
      if (misfit === undefined) continue;
      throw new Error(
        `What the overlay writes does not fit ${pointerTo(misfit)}, which is of another type: remove that in an action before`,
      );
    }
    const size = places.length * sizeOf(change, this.#left);
    if (size > this.#left)
      throw new Error(`The overlay writes more than ${MAX_WRITTEN.toLocaleString('en')} values`);
    this.#left -= size;
    const written = prepare(change);
    for (const place of places) update(place, written, this.#shared);
  }

  async #valueOf(query: string): Promise<Json> {
    const { values } = await this.#select(query, 'copy');
    if (values.length === 1) return values[0]!;
    throw new Error(`The overlay copies one place, and ${query} selects ${values.length} places`);
  }

  async #select(query: string, member: 'target' | 'copy'): Promise<Selection> {
    try {
      return await select(this.#root, query);
    } catch (error) {
      throw new Error(`The overlay ${member} ${query} is not understood (${(error as Error).message})`);
    }
  }
}

/**
 * Where a change cannot be merged: texts go over texts, objects into objects, lists behind lists, and anything behind
 * a list that is the target itself.
 */
function misfitOf(value: Json | undefined, change: Json, place: Location): Location | undefined {
  if (Array.isArray(value)) return undefined;
  if (!isObject(value) || !isObject(change)) {
    return isObject(value) || (typeof change === 'object' && change !== null) ? place : undefined;
  }
  for (const [key, member] of Object.entries(change)) {
    const known = Object.hasOwn(value, key) ? value[key] : undefined;
    if (known === undefined) continue;
    const at = [...place, key];
    const misfit = Array.isArray(known) && !Array.isArray(member) ? at : misfitOf(known, member, at);
    if (misfit !== undefined) return misfit;
  }
  return undefined;
}

/** Values within, itself included; counted no further than just above `most`, since aliases make trees of a few. */
function sizeOf(value: Json, most: number): number {
  let size = 0;
  const pending = [value];
  while (pending.length > 0 && size <= most) {
    const next = pending.pop()!;
    size++;
    if (typeof next === 'object' && next !== null)
      for (const child of Object.values(next)) pending.push(child);
  }
  return size;
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
