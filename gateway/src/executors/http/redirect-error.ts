import { printable } from '../../operations/text/printable.ts';

const MAX_ERROR = 200;
const NO_ERROR = /^(?:|0|false|none|null|undefined)$/i;

/**
 * The error that the address names which a redirect led to, as OAuth (RFC 6749 §4.1.2.1) and whoever learned from it
 * write it: `/callback?error=access_denied&error_description=…`. None where it was in the call itself.
 */
export function redirectError(asked: string, answered: string): string | undefined {
  const [sent, told] = [URL.parse(asked)?.searchParams, URL.parse(answered)?.searchParams];
  const error = textOf(told?.get('error'));
  if (NO_ERROR.test(error) || error === textOf(sent?.get('error'))) return undefined;
  const description = textOf(told?.get('error_description'));
  return description === '' ? error : `${error} (${description})`;
}

function textOf(value: string | null | undefined): string {
  return printable((value ?? '').trim(), MAX_ERROR);
}
