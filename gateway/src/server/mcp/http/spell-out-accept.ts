const ANSWERS = ['application/json', 'text/event-stream'] as const;

/**
 * The SDK looks for two names in the header, as they stand. Wildcards, capital letters and no header at all say the same
 * (RFC 9110 §12.5.1): for them the names are put in. What does not take both stays as it is, and is refused.
 */
export function spellOutAccept({ method, headers }: Request): void {
  const given = headers.get('accept');
  const needed = method === 'GET' ? ANSWERS.slice(1) : ANSWERS;
  if (given !== null && needed.every((type) => given.includes(type))) return;
  const ranges = new Map((given ?? '*/*').toLowerCase().split(',').map(weighed));
  const takes = (type: string) =>
    ranges.get(type) ?? ranges.get(type.replace(/\/.*/, '/*')) ?? ranges.get('*/*') ?? false;
  if (needed.every(takes)) headers.set('accept', ANSWERS.join(', '));
}

/** `text/html;q=0` says that it is not taken. */
function weighed(entry: string): readonly [range: string, taken: boolean] {
  const [range = '', ...parameters] = entry.split(';').map((part) => part.trim());
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  return [range, weight === undefined || Number(weight) > 0];
}
