import { isObject, type JsonObject } from '../../../operations/index.ts';
import type { References, Target } from '../read/references.ts';

/** More are left to the base: each costs every list of tools that shows one. */
const MAX_DERIVED = 16;
const NAME = /^[\w.-]+$/;

/**
 * The schemas that the mapping of a base names and that extend it by `allOf`: TypeSpec, NSwag and Springdoc say so what
 * a base stands for, of which it says itself no more than what all have in common.
 */
export function derivedOf(references: References, base: unknown): readonly Target[] {
  if (!isObject(base) || !isObject(base.discriminator)) return [];
  if (base.oneOf !== undefined || base.anyOf !== undefined) return [];
  const { mapping } = base.discriminator;
  if (!isObject(mapping)) return [];
  const found = new Map<unknown, Target>();
  for (const value of Object.values(mapping)) {
    if (typeof value !== 'string') continue;
    const named = NAME.test(value) ? references.resolve(`#/components/schemas/${value}`) : undefined;
    const target = named ?? references.resolve(value);
    if (target !== undefined && extendsBase(references, target.node, base)) found.set(target.node, target);
  }
  return found.size > MAX_DERIVED ? [] : [...found.values()];
}

/** Through bases in between, too. */
function extendsBase(
  references: References,
  node: unknown,
  base: JsonObject,
  seen = new Set<unknown>(),
): boolean {
  if (!isObject(node) || !Array.isArray(node.allOf) || seen.has(node)) return false;
  seen.add(node);
  return node.allOf.some((part) => {
    const target = references.object(part, '#')?.node;
    return target === base || extendsBase(references, target, base, seen);
  });
}
