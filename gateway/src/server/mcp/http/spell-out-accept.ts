import { acceptedRanges } from '../../http/accepted-ranges.ts';

const ANSWERS = ['application/json', 'text/event-stream'] as const;

/**
 * The SDK looks for two names in the header, as they stand. Wildcards, capital letters and no header at all say the same
 * (RFC 9110 §12.5.1): for them the names are put in. What does not take both stays as it is, and is refused.
 */
export function spellOutAccept({ method, headers }: Request): void {
  const given = headers.get('accept');
  const needed = method === 'GET' ? ANSWERS.slice(1) : ANSWERS;
  if (given !== null && needed.every((type) => given.includes(type))) return;
  const ranges = acceptedRanges(given ?? '*/*');
  const takes = (type: string) =>
    ranges.get(type) ?? ranges.get(type.replace(/\/.*/, '/*')) ?? ranges.get('*/*') ?? false;
  if (needed.every(takes)) headers.set('accept', ANSWERS.join(', '));
}
