import type { Json, JsonObject } from '../../../operations/index.ts';
import { textOf } from './descriptions.ts';
import {
  asTyped,
  isUsableValue,
  readCount,
  readDependentNames,
  readEnum,
  readNumber,
  readTypes,
} from './keyword-values.ts';
import type { PlainKind } from './keywords.ts';
import { readPattern } from './pattern.ts';

/** The value of a keyword cannot be used, and somebody should know. */
export const INVALID = Symbol('invalid');

/** The value of a keyword that holds no schema; undefined: it says nothing. `node`: the schema that it stands in. */
export function readPlainKeyword(
  kind: PlainKind,
  key: string,
  value: Json,
  { type }: JsonObject,
): Json | undefined | typeof INVALID {
  switch (kind) {
    case 'text':
      return typeof value === 'string' ? textOf(key, value) : undefined;
    case 'flag':
      return value === true ? true : undefined;
    case 'value':
      return isUsableValue(value) ? asTyped(value, type) : INVALID;
    case 'number':
      return readNumber(key, value) ?? INVALID;
    case 'limit':
      return typeof value === 'boolean' ? undefined : (readNumber(key, value) ?? INVALID);
    case 'count':
      return readCount(value) ?? INVALID;
    case 'pattern':
      return readPattern(value) ?? INVALID;
    case 'type':
      return readTypes(value) ?? INVALID;
    case 'enum':
      return readEnum(value, type) ?? INVALID;
    case 'names':
      return readDependentNames(value) ?? INVALID;
  }
}
