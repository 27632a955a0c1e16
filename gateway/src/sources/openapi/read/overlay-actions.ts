import { percentDecoded } from '../../../operations/http/percent-decoded.ts';
import { isObject, type Json, type JsonObject, parsePointer, valueAt } from '../../../operations/index.ts';

/** What an action does to each place that its target selects. */
export type OverlayAction = { readonly target: string } & (
  | { readonly does: 'remove' }
  | { readonly does: 'update'; readonly update: Json }
  | { readonly does: 'copy'; readonly copy: string }
);

/**
 * The minor version, 2 of `1.2.0`; YAML makes a number of `1.2`. Undefined where none of 1.x is said: a later minor
 * version adds to what is known here, another major version may mean something else.
 */
export function minorVersion(said: unknown): number | undefined {
  if (typeof said !== 'string' && typeof said !== 'number') return undefined;
  const found = /^1(?:\.(\d+)(?:\.\d+)?)?$/.exec(String(said));
  return found === null ? undefined : Number(found[1] ?? 0);
}

/** An action as it is to be applied, or what is wrong with it (Overlay 1.2 §4.4.4 to 4.4.6). */
export function readAction(action: unknown, overlay: JsonObject): OverlayAction | string {
  const whole = isObject(action) && action.$ref !== undefined ? withFields(action, overlay) : action;
  if (typeof whole === 'string') return whole;
  if (!isObject(whole) || typeof whole.target !== 'string') return 'An overlay action needs a target';
  const { target, update, copy } = whole;
  if (whole.remove === true) return { target, does: 'remove' };
  if ((update === undefined) === (copy === undefined)) {
    return `The overlay action on ${target} needs one of update, copy and "remove: true"`;
  }
  if (update !== undefined) return { target, does: 'update', update };
  if (typeof copy !== 'string')
    return `The overlay action on ${target}: copy is a JSONPath of what is copied`;
  return { target, does: 'copy', copy };
}

/** The action of the components that is referred to; what stands beside the reference comes before its fields. */
function withFields({ $ref, ...own }: JsonObject, overlay: JsonObject): JsonObject | string {
  const tokens = typeof $ref === 'string' && $ref.startsWith('#') ? parsePointer(percentDecoded($ref)) : [];
  const [components, actions, ...name] = tokens ?? [];
  const isPlace = components === 'components' && actions === 'actions' && name.length === 1;
  const reusable = isPlace ? valueAt(overlay, tokens!) : undefined;
  if (!isObject(reusable) || !isObject(reusable.fields)) {
    return `The overlay action refers to ${JSON.stringify($ref)}, which is no action with fields in #/components/actions of this overlay`;
  }
  const { target: _target, ...fields } = reusable.fields;
  return { ...fields, ...own };
}
