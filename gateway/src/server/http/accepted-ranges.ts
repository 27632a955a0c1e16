/** Media ranges of an `Accept`, lower case, and whether each is taken (RFC 9110 §12.5.1): `text/html;q=0` says that it is not. */
export function acceptedRanges(accept: string): ReadonlyMap<string, boolean> {
  return new Map(accept.toLowerCase().split(',').map(weighed));
}

function weighed(entry: string): readonly [range: string, taken: boolean] {
  const [range = '', ...parameters] = entry.split(';').map((part) => part.trim());
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  return [range, weight === undefined || Number(weight) > 0];
}
