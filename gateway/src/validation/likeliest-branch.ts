import type { ErrorObject } from 'ajv';
import { isObject, type JsonSchema } from '../operations/index.ts';
import { referenceTarget } from './describe.ts';

const OF_THE_OBJECT: ReadonlySet<string> = new Set([
  'required',
  'additionalProperties',
  'unevaluatedProperties',
  'type',
]);

/**
 * The errors of the one branch that an object is meant for: it has what this branch requires, nothing that is unknown to
 * it, and the values by which it is told from the others. Where several are left, those that all of them have.
 */
export function errorsOfLikeliest(
  branches: readonly unknown[],
  errors: readonly ErrorObject[],
  at: string,
  root: JsonSchema | boolean,
): ErrorObject[] {
  const left = branches
    .map((branch) => {
      const inside = reachableFrom([branch], root);
      return errors.filter(({ parentSchema }) => inside.has(parentSchema));
    })
    .filter((own) => !own.some((error) => rulesOut(error, at)));
  const [first = [], ...others] = left;
  return first.filter((error) => others.every((own) => own.some((other) => isSame(error, other))));
}

/** What it limits stands in `params`; messages are not written. */
function isSame(one: ErrorObject, other: ErrorObject): boolean {
  return (
    one.instancePath === other.instancePath &&
    one.keyword === other.keyword &&
    JSON.stringify(one.params) === JSON.stringify(other.params)
  );
}

function rulesOut({ instancePath, keyword }: ErrorObject, at: string): boolean {
  if (instancePath === at) return OF_THE_OBJECT.has(keyword);
  const isMember = instancePath.lastIndexOf('/') === at.length;
  return isMember && (keyword === 'const' || keyword === 'enum');
}

/** Every schema below some schemas, references followed. */
export function reachableFrom(schemas: readonly unknown[], root: JsonSchema | boolean): ReadonlySet<unknown> {
  const found = new Set<unknown>(schemas);
  for (const item of found) {
    if (item === null || typeof item !== 'object') continue;
    for (const child of Object.values(item))
      if (child !== null && typeof child === 'object') found.add(child);
    if (isObject(item) && typeof item['$ref'] === 'string') found.add(referenceTarget(item['$ref'], root));
  }
  return found;
}
