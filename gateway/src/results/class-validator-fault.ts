import { isObject, type Json } from '../operations/index.ts';

const MOST = 10;

/**
 * What a ValidationError of class-validator finds wrong, as routing-controllers and others that use it answer:
 * `more.1.street: street must be a string`. It holds the object that was sent, under `target`, at every level; what is
 * wrong with a member stands under `constraints`, with members of that under `children`. Undefined for any other fault.
 */
export function constraintsOf(fault: Json): string | undefined {
  const words = [...wordsOf(fault, '', 0)];
  if (words.length > MOST) words.splice(MOST, words.length, `and ${words.length - MOST} more`);
  return words.length === 0 ? undefined : words.join('; ');
}

function* wordsOf(fault: Json, within: string, depth: number): Generator<string> {
  if (!isObject(fault) || typeof fault.property !== 'string' || depth > 20) return;
  const { property, constraints, children } = fault;
  const place = `${within}${property}`;
  for (const text of Object.values(isObject(constraints) ? constraints : {}))
    if (typeof text === 'string') yield `${place}: ${text}`;
  for (const child of Array.isArray(children) ? children : []) yield* wordsOf(child, `${place}.`, depth + 1);
}
