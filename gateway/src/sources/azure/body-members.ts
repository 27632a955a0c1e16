import { isObject, type Json, type JsonObject } from '../../operations/index.ts';
import type { References } from '../openapi/read/references.ts';
import { viewObject } from '../openapi/schemas/object-view.ts';
import { internalValue, isLeftOut } from './internal-value.ts';

/** The body, or something inside it, at any depth. */
export interface BodyMember {
  /** Names from the body's root, `*` for the items of a list; empty for the body itself. */
  readonly tokens: readonly string[];
  /** The schema with what stands beside its reference. */
  readonly node: JsonObject;
  readonly required: boolean;
  /** Sent without asking; nothing below it is listed. */
  readonly value?: Json;
  /** Neither asked for nor sent. */
  readonly leftOut?: true;
}

/** Members below this many steps, and more than this many, are left to the schema. */
const MAX_STEPS = 12;
const MAX_MEMBERS = 2_000;

interface Waiting {
  readonly node: unknown;
  readonly tokens: readonly string[];
  readonly required: boolean;
  /** The schemas that it stands in. */
  readonly within: readonly object[];
}

/** The body and everything below it, what is nearer to the root first; a schema inside itself is entered once. */
export function bodyMembers(references: References, schema: unknown): BodyMember[] {
  const found: BodyMember[] = [];
  const waiting: Waiting[] = [{ node: schema, tokens: [], required: true, within: [] }];
  for (let next = 0; next < waiting.length && found.length < MAX_MEMBERS; next++) {
    const { node, tokens, required, within } = waiting[next]!;
    const target = references.object(node, '#')?.node;
    if (!isObject(node) || target === undefined || within.includes(target)) continue;
    if (tokens.length > 0 && (node.readOnly === true || target.readOnly === true)) continue;
    const { $ref: _reference, ...beside } = node;
    const member = { tokens, node: node === target ? target : { ...target, ...beside }, required };
    const value = internalValue(references, node);
    if (value !== undefined) found.push({ ...member, value });
    else if (isLeftOut(references, node, required)) found.push({ ...member, leftOut: true });
    else {
      found.push(member);
      if (tokens.length >= MAX_STEPS || waiting.length >= MAX_MEMBERS) continue;
      const inner = [...within, target];
      const view = viewObject(references, node, '#', false);
      for (const [name, parts] of view?.properties ?? [])
        waiting.push({
          node: parts[0]!.schema,
          tokens: [...tokens, name],
          required: view!.required.has(name),
          within: inner,
        });
      if (isObject(target.items))
        waiting.push({ node: target.items, tokens: [...tokens, '*'], required: false, within: inner });
    }
  }
  return found;
}
