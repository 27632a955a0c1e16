import type { Json } from '../../operations/index.ts';

/** A value as it stands in a parameter: numbers without exponent, structures as JSON text. */
export function primitiveText(value: Json): string {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
      return decimalText(value);
    case 'boolean':
      return value ? 'true' : 'false';
    default:
      return value === null ? '' : JSON.stringify(value);
  }
}

/** `1e21` → `1000000000000000000000`, `1e-7` → `0.0000001`: services read digits, few read exponents. */
function decimalText(value: number): string {
  const shortest = String(value);
  const mark = shortest.indexOf('e');
  if (mark < 0) return shortest;
  const exponent = Number(shortest.slice(mark + 1));
  const sign = value < 0 ? '-' : '';
  const [whole = '', fraction = ''] = shortest.slice(sign.length, mark).split('.');
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${whole}${fraction}`;
  return sign + whole + fraction.padEnd(exponent, '0');
}
