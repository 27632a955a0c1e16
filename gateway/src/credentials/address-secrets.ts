import { percentDecoded } from '../operations/http/percent-decoded.ts';
import { hidesValue } from '../telemetry/sensitive-names.ts';
import { LIKE_A_KEY } from './lookout.ts';

/** One `name=value` of a query, as it is written, and the value decoded. */
export interface SecretPair {
  readonly pair: string;
  readonly value: string;
}

/** What of an address's query is a key by its name or its look: `?code=…` of a function, `&sig=…` of a signed address. */
export function secretsOfAddress(address: string | undefined): readonly SecretPair[] {
  const query = address === undefined ? '' : (URL.parse(address)?.search.slice(1) ?? '');
  return query.split('&').flatMap((pair) => {
    const equals = pair.indexOf('=');
    if (equals < 0) return [];
    const value = percentDecoded(pair.slice(equals + 1));
    const isSecret = hidesValue(pair.slice(0, equals), value, 'parameter') || LIKE_A_KEY.test(value);
    return isSecret ? [{ pair, value }] : [];
  });
}
