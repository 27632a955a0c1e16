import { asToolcribError, ToolcribError } from '../../errors.ts';
import type { ImportedSkill } from '../room.ts';

/** What an import answers about a skill that it did not take, by the name of its folder. */
export function refusedAnswer({ name, error }: { name: string; error: unknown }): ImportedSkill {
  const { code, message, location } = asToolcribError(error);
  return {
    id: name,
    version: '',
    refused: { code, message, ...(location === undefined ? {} : { location }) },
    compiled_ok: 0,
    invalid_tools: 0,
    shadowed_tools: 0,
    invalid: [],
    shadowed: [],
  };
}

/** Locations within a package are told as such: where it was unpacked is nobody's business. */
export function withoutStaging(error: unknown, staging: string): unknown {
  const known = asToolcribError(error);
  const { location, details, next, cause } = known;
  if (location?.startsWith(staging) !== true) return error;
  return new ToolcribError(known.code, known.message, {
    location: location.slice(staging.length + 1),
    next,
    cause,
    ...(details === undefined ? {} : { details }),
  });
}
