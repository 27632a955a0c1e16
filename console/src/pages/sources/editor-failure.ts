import { ApiError, UnreachableError } from '../../api/api-error.ts';

/** Refusals that say nothing of the entry: nobody signed in, no right to it, too many requests. */
const ASIDE: ReadonlySet<number> = new Set([401, 403, 429]);

interface Failed {
  readonly check: unknown;
  readonly save: unknown;
  /** A source that is there is changed. */
  readonly replace: boolean;
}

/** What did not happen, as the heading of why. */
export function editorFailure({ check, save, replace }: Failed): string {
  // it may have been done, and the answer lost on the way
  if (save instanceof UnreachableError)
    return `It is not known whether the source was ${replace ? 'changed' : 'added'}`;
  if (save) return `The source was not ${replace ? 'changed' : 'added'}`;
  const isOfEntry = check instanceof ApiError && check.status >= 400 && check.status < 500;
  if (!isOfEntry || ASIDE.has(check.status)) return 'It could not be checked';
  return `This cannot be ${replace ? 'saved' : 'added'} as it is`;
}
