import type { Place } from '../place.ts';
import type { Reading } from '../reading.ts';
import { viewObject } from '../schemas/object-view.ts';
import { isNestedObject, isPlainlyNoObject, objectAmong } from './nested-query.ts';

/**
 * Parameters of one operation, of which objects in the query that say no style and have the very members of another one
 * get brackets (`style: deepObject`): ranges have them (`created_at` and `updated_at` with `lt` and `gt`), and as
 * parameters of their own nobody could tell whose a member is, so that is not what the service reads.
 */
export function withBrackets(reading: Reading, beside: readonly Place[]): readonly Place[] {
  const objects = beside.filter(({ node }) => node.in === 'query' && !isPlainlyNoObject(node.schema));
  if (objects.length < 2) return beside;
  const byMembers = Map.groupBy(objects, (place) => membersOf(reading, place));
  byMembers.delete('');
  const alike = new Set([...byMembers.values()].filter((places) => places.length > 1).flat());
  if (alike.size === 0) return beside;
  return beside.map((place) => {
    if (!alike.has(place)) return place;
    const { node, pointer } = place;
    const message = `The query parameter ${node.name} is an object, has no style and the same members as another one: it goes out as ${node.name}[member]=…, since members by themselves could not be told apart. Where the service reads something else, an overlay says so by \`style\` or \`content\`.`;
    reading.log.report('query-brackets', 'info', message, pointer);
    return { node: { ...node, style: 'deepObject' }, pointer };
  });
}

/** True for a query parameter that leaves its style to the standard. */
export function saysNoStyle({ version }: Reading, node: Place['node']): boolean {
  if (node.in !== 'query' || version.swagger) return false;
  return (node.style ?? undefined) === undefined && (node.explode ?? undefined) === undefined;
}

/** The names of a flat object's members in one order; empty for anything else, which goes out in another way. */
function membersOf(reading: Reading, { node, pointer }: Place): string {
  if (!saysNoStyle(reading, node)) return '';
  const at = `${pointer}/schema`;
  const target = objectAmong(reading, node.schema, at);
  if (target === undefined || (target.node.properties === undefined && target.node.allOf === undefined))
    return '';
  if (isNestedObject(reading, target.node, target.pointer)) return '';
  const view = viewObject(reading.references, target.node, target.pointer, reading.version.jsonSchema);
  return [...(view?.properties.keys() ?? [])].toSorted().join('\n');
}
