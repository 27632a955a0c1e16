import type { AdminEvent } from '../../../../gateway/src/operations/event.ts';
import { isDay } from '../../components/time/is-day.ts';

/** Stands in the address; an empty text is no filter. */
export interface ChangeFilter {
  readonly kind: string;
  /** Id of who changed it. */
  readonly by: string;
  /** Id of the person whose record, keys or levels were changed. */
  readonly about: string;
  readonly organisation: string;
  /** First and last day, where the browser is. */
  readonly from: string;
  readonly to: string;
}

interface Kind {
  readonly name: string;
  readonly title: string;
  readonly types: ReadonlyArray<AdminEvent['type']>;
}

export const KINDS: readonly Kind[] = [
  { name: 'people', title: 'People', types: ['user-changed'] },
  { name: 'keys', title: 'Keys', types: ['key-changed'] },
  { name: 'access', title: 'Levels and roles', types: ['access-changed'] },
  { name: 'accounts', title: 'Accounts', types: ['connection-changed'] },
  { name: 'organisations', title: 'Organisations', types: ['organisation-changed'] },
  { name: 'features', title: 'Features', types: ['feature-changed'] },
];
export const TYPES = KINDS.flatMap(({ types }) => types);

const NAMES = ['kind', 'by', 'about', 'organisation', 'from', 'to'] as const;

export function filterIn(query: URLSearchParams): ChangeFilter {
  const given = (name: string) => {
    const value = query.get(name)?.trim() ?? '';
    return (name === 'from' || name === 'to') && !isDay(value) ? '' : value;
  };
  return Object.fromEntries(NAMES.map((name) => [name, given(name)])) as never;
}

export function isFiltered(filter: ChangeFilter): boolean {
  return NAMES.some((name) => filter[name] !== '');
}
