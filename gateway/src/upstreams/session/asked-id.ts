import type { RequestId } from '@modelcontextprotocol/client';

/** Some servers answer a number as text, which the SDKs of TypeScript and Python take; NaN where it is no number. */
export function askedId(id: RequestId | undefined): number {
  return typeof id === 'string' && !/^\d{1,16}$/.test(id) ? Number.NaN : Number(id ?? Number.NaN);
}
