import type { Place } from '../place.ts';
import type { Reading } from '../reading.ts';
import { viewObject } from '../schemas/object-view.ts';
import { withoutNull } from './nested-query.ts';

/**
 * Object parameters of one operation's query that say no style and have the very members of another one, as ranges have
 * (`created_at` and `updated_at` with `lt` and `gt`). As parameters of their own nobody could tell whose a member is, so
 * that is not what the service reads.
 */
export function alikeObjects(reading: Reading, beside: readonly Place[]): ReadonlySet<Place['node']> {
  const byMembers = new Map<string, Place['node'][]>();
  for (const { node, pointer } of beside) {
    if (!saysNoStyle(reading, node)) continue;
    const members = membersOf(reading, node.schema, `${pointer}/schema`);
    if (members !== '') byMembers.set(members, [...(byMembers.get(members) ?? []), node]);
  }
  return new Set([...byMembers.values()].filter((nodes) => nodes.length > 1).flat());
}

/** True for a query parameter that leaves its style to the standard. */
export function saysNoStyle({ version }: Reading, node: Place['node']): boolean {
  const stated = [node.style, node.explode].some((one) => one !== undefined && one !== null);
  return node.in === 'query' && !stated && !version.swagger;
}

/** The names of an object's members in one order; empty for what has none. */
function membersOf(reading: Reading, schema: unknown, pointer: string): string {
  const target = withoutNull(reading, schema, pointer);
  if (target === undefined) return '';
  const view = viewObject(reading.references, target.node, target.pointer, reading.version.jsonSchema);
  return [...(view?.properties.keys() ?? [])].toSorted().join('\n');
}
