/** A compressed copy that stands beside the file, and what its name ends with. */
export interface Encoding {
  readonly name: 'br' | 'gzip';
  readonly suffix: '.br' | '.gz';
}

/** The smaller one first. */
const ENCODINGS: readonly Encoding[] = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
];

/** Encodings that a client takes (RFC 9110 §12.5.3), the smallest first; none where it says nothing. */
export function acceptedEncodings(header: string | null): readonly Encoding[] {
  const given = new Map((header ?? '').toLowerCase().split(',').map(weighed));
  const any = given.get('*') ?? false;
  return ENCODINGS.filter(({ name }) => given.get(name) ?? any);
}

/** `gzip;q=0` says that it is not taken. */
function weighed(entry: string): readonly [name: string, taken: boolean] {
  const [name = '', ...parameters] = entry.split(';').map((part) => part.trim());
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  return [name, weight === undefined || Number(weight) > 0];
}
