import type { JsonObject } from '../../../operations/index.ts';
import type { References } from '../read/references.ts';
import { meantType } from './keyword-values.ts';
import { withRequiredMembers } from './required-members.ts';
import { strayObject } from './stray-object.ts';

/** Told of a keyword that is read otherwise than it stands. */
type Report = (code: string, message: string, key: string) => void;

const STRAY =
  'It says that it is an object, names no members, and its value is none; anything is accepted here.';

/** A schema as its author meant it, where it says what no value, or hardly the meant one, would fit; else the same one. */
export function meantSchema(references: References, node: JsonObject, report: Report): JsonObject {
  const whole = node.properties === undefined ? node : withRequiredMembers(node);
  const stray = strayObject(references, whole);
  if (stray !== undefined) {
    report('type-stray', STRAY, stray);
    return Object.fromEntries(Object.entries(whole).filter(([key]) => key !== stray));
  }
  const type = meantType(whole.type);
  if (type === undefined) return whole;
  report('type-misnamed', `There is no type ${whole.type}; it is read as ${type}.`, 'type');
  return { ...whole, type };
}
