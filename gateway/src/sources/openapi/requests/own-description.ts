import { isObject } from '../../../operations/index.ts';
import type { Reading } from '../reading.ts';

/** What a Reference Object says itself goes before what it refers to (OpenAPI 3.1 "Reference Object"; 3.0 ignores it). */
export function withOwnDescription<T>({ version }: Reading, reference: unknown, target: T): T {
  if (!version.jsonSchema || !isObject(reference) || !isObject(target)) return target;
  const { $ref, description } = reference;
  return typeof $ref === 'string' && typeof description === 'string' ? { ...target, description } : target;
}
