import { ToolcribError } from '../errors.ts';
import { DEFAULTS } from './defaults.ts';

/** The kinds of this version and those that an embedder brings. Throws `configuration_invalid` where two have one name. */
export function kindsWith(brought: readonly string[]): readonly string[] {
  const kinds = [...DEFAULTS.kinds];
  for (const kind of brought) {
    if (kinds.includes(kind))
      throw new ToolcribError(
        'configuration_invalid',
        `There is a source kind ${kind} already: call yours otherwise.`,
      );
    kinds.push(kind);
  }
  return kinds;
}
