import { filled } from '../../components/filled.ts';
import type { ShownApproval } from './queries.ts';

/** By what the waiting calls are narrowed, in the order of the fields. */
export const NARROWED = ['principal', 'source', 'tool'] as const;
export type Narrowed = (typeof NARROWED)[number];

/** Stands in the address of the page; absent: any. */
export type WaitingFilter = Readonly<Partial<Record<Narrowed, string>>>;
/** What a filter looks at. */
export type Narrowable = Pick<ShownApproval, Narrowed>;

export function filterIn(query: URLSearchParams): WaitingFilter {
  return filled(Object.fromEntries(NARROWED.map((name) => [name, query.get(name) ?? ''])));
}

export function fits(filter: WaitingFilter): (one: Narrowable) => boolean {
  const names = NARROWED.filter((name) => filter[name] !== undefined);
  return (one) => names.every((name) => one[name] === filter[name]);
}

/** What can be chosen of one member beside the other filters, and how many calls that leaves. The chosen one stays. */
export function choicesOf(
  waiting: readonly Narrowable[],
  filter: WaitingFilter,
  name: Narrowed,
): ReadonlyMap<string, number> {
  const { [name]: chosen, ...others } = filter;
  const counts = new Map<string, number>(chosen === undefined ? [] : [[chosen, 0]]);
  for (const one of waiting.filter(fits(others))) counts.set(one[name], (counts.get(one[name]) ?? 0) + 1);
  return counts;
}
