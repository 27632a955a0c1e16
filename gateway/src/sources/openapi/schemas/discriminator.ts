import { isObject, type Json, type JsonObject } from '../../../operations/index.ts';
import type { References } from '../read/references.ts';
import { collectProperty } from './all-of.ts';
import { componentName } from './definition-names.ts';

/** Values that are told; each costs every list of tools that shows them. */
const MOST_VALUES = 24;
const MAX_VALUE = 80;

/**
 * Which value of its property stands for which schema, in words: a Discriminator Object is no keyword that a caller sees,
 * and changes nothing of what fits. '' where the schemas say their values themselves, or nothing is said.
 */
export function discriminatedValues(references: References, node: JsonObject): string {
  const { discriminator } = node;
  if (!isObject(discriminator) || typeof discriminator.propertyName !== 'string') return '';
  const { propertyName, mapping, defaultMapping } = discriminator;
  const named = new Map<string, string>();
  for (const [value, target] of Object.entries(isObject(mapping) ? mapping : {}))
    if (typeof target === 'string') named.set(value, referenceOf(references, target));
  const mapped = new Set([...named.values()].map((reference) => references.resolve(reference)?.node));
  // without a mapping the value is the name of the component
  for (const branch of branchesOf(node)) {
    const name = isObject(branch) && typeof branch.$ref === 'string' ? nameOf(branch.$ref) : undefined;
    const isOther = typeof defaultMapping === 'string' && name === nameOf(defaultMapping);
    if (name === undefined || named.has(name) || isOther) continue;
    const reference = (branch as { $ref: string }).$ref;
    if (!mapped.has(references.resolve(reference)?.node)) named.set(name, reference);
  }
  const told = [...named].filter(([value]) => value.length <= MAX_VALUE);
  const isSaid = told.every(([, reference]) => saysValue(references, reference, propertyName));
  if (told.length === 0 || isSaid) return '';
  const values = told.slice(0, MOST_VALUES).map(([value, reference]) => {
    const name = nameOf(reference) ?? value;
    return name === value ? value : `${value} (${name})`;
  });
  const more = told.length > MOST_VALUES ? ', …' : '';
  return `${propertyName} is one of: ${values.join(', ')}${more}.`;
}

function branchesOf({ oneOf, anyOf }: JsonObject): readonly Json[] {
  return [oneOf, anyOf].flatMap((branches) => (Array.isArray(branches) ? branches : []));
}

/** What may be the name of a schema is one (OpenAPI 3.2, "Options for Mapping Values to Schemas"). */
function referenceOf(references: References, target: string): string {
  const named = `#/components/schemas/${target}`;
  return /^[\w.-]+$/.test(target) && references.resolve(named) !== undefined ? named : target;
}

function nameOf(reference: string): string | undefined {
  const name = componentName(reference) ?? /([\w-]+)(?:\.\w+)?$/.exec(reference)?.[1];
  return name === undefined || name.length > MAX_VALUE ? undefined : name;
}

/** Whether a schema names the only values that the property has there. */
function saysValue(references: References, reference: string, property: string): boolean {
  const found: unknown[] = [];
  collectProperty(references, [{ $ref: reference }], property, found, new Set());
  return found.some((schema) => {
    const node = references.object(schema, '#')?.node;
    return node !== undefined && (node.const !== undefined || Array.isArray(node.enum));
  });
}
