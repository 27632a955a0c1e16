import {
  type BodyBinding,
  type BodyFormat,
  escapeToken,
  isObject,
  type Json,
  type JsonObject,
} from '../../operations/index.ts';
import type { Refuse } from './base64-input.ts';
import { boundValue, refusedValue } from './bound-value.ts';

/** A value on its way into the body, and how to refuse it under the argument's name. */
export interface BodyPart {
  readonly name: string;
  readonly value: Json;
  readonly refuse: Refuse;
}

/** What the arguments say about the body: one whole value, or properties by name. */
export type GivenBody =
  | { readonly kind: 'whole'; readonly part: BodyPart }
  | { readonly kind: 'properties'; readonly parts: readonly BodyPart[] };

/** An optional body without any argument is not sent; constants alone do not ask for one. */
export function givenBody(
  format: BodyFormat,
  bindings: readonly BodyBinding[],
  args: JsonObject,
): GivenBody | undefined {
  const parts: BodyPart[] = [];
  let asked = format.required;
  for (const binding of bindings) {
    const value = boundValue(binding, args);
    if (value === undefined) continue;
    if (binding.arg !== undefined) asked = true;
    const part = {
      name: binding.name,
      value,
      refuse: (reason: string, below?: string) => refusedValue(binding, reason, below),
    };
    if (binding.name === '') return { kind: 'whole', part };
    parts.push(part);
  }
  if (!asked) return undefined;
  const whole = bindings.find((binding) => binding.name === '');
  if (whole === undefined) return { kind: 'properties', parts };
  throw refusedValue(whole, 'is required: the request needs a body');
}

/** The whole body, or its properties as one object; `__proto__` is a property like any other. */
export function wholeValue(given: GivenBody): Json {
  if (given.kind === 'whole') return given.part.value;
  const body: JsonObject = Object.create(null);
  for (const part of given.parts) body[part.name] = part.value;
  return body;
}

/** The properties of an object body, whichever way they were given; undefined when the value is no object. */
export function bodyParts(given: GivenBody): readonly BodyPart[] | undefined {
  if (given.kind === 'properties') return given.parts;
  const { value, refuse } = given.part;
  if (!isObject(value)) return undefined;
  return Object.entries(value).map(([name, member]) => ({
    name,
    value: member,
    refuse: (reason, below = '') =>
      refuse(`has a member ${name} that ${reason}`, `/${escapeToken(name)}${below}`),
  }));
}
