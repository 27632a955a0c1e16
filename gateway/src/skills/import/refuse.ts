import { ToolcribError } from '../../errors.ts';
import type { Diagnostic } from '../../operations/index.ts';
import { printable } from '../../operations/text/printable.ts';

/** @param entry path within the package, as it stands there; undefined where it is about the whole */
export function refused(reason: string, entry?: string, cause?: unknown): ToolcribError {
  const message = entry === undefined ? reason : `"${shown(entry)}" ${reason}`;
  return new ToolcribError('archive_refused', message, {
    ...(entry === undefined ? {} : { details: { entry: shown(entry) } }),
    ...(cause === undefined ? {} : { cause }),
  });
}

/** What an import goes on without. */
export function leftOut(entry: string, why: string): Diagnostic {
  return { code: 'skill-import-left-out', severity: 'warning', message: `"${shown(entry)}" ${why}.` };
}

/** An address that leads to nothing that could be imported. */
export function addressRefused(reason: string, cause?: unknown): ToolcribError {
  return new ToolcribError('archive_refused', reason, {
    next: 'Correct the address: https://host/skills.zip, or https://host/skills.git#branch:folder.',
    ...(cause === undefined ? {} : { cause }),
  });
}

/** Names of strangers, for people: no control characters, and no longer than a line. */
export function shown(text: string): string {
  return printable(text, 120);
}

/** An address without what may be a secret in it. */
export function shownUrl(text: string): string {
  const url = URL.parse(text);
  return url === null ? 'the address' : shown(`${url.origin}${url.pathname}`);
}
