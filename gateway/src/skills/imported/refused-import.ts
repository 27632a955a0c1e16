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

/** Locations within a package are told as such: where it was unpacked, `folder`, is nobody's business. */
export function withoutStaging(error: unknown, folder: string): unknown {
  const known = asToolcribError(error);
  const { location, details, next, cause } = known;
  if (location?.startsWith(folder) !== true) return error;
  return new ToolcribError(known.code, known.message, {
    location: location.slice(folder.length + 1),
    next,
    cause,
    ...(details === undefined ? {} : { details }),
  });
}
