import type { RawResult } from '../../executors/executor.ts';
import { isObject, type Json, type Operation, UNTRUSTED_META } from '../../operations/index.ts';

/**
 * Where an answer came from: the page or provider that a web executor names, the origin of an API's address (a path or
 * query may hold secrets), else the source itself, such as an MCP server's name.
 */
export function originOf(raw: RawResult, { source, invocation }: Operation): string {
  if (raw.kind === 'http') return URL.parse(raw.url)?.origin ?? source;
  if (raw.kind === 'value' && invocation.kind === 'web') {
    const named: Json | undefined = raw.meta?.[UNTRUSTED_META];
    if (isObject(named) && typeof named['origin'] === 'string') return withoutUser(named['origin']);
  }
  return source;
}

function withoutUser(address: string): string {
  const url = URL.parse(address);
  if (url === null) return address;
  url.username = '';
  url.password = '';
  return url.href;
}
