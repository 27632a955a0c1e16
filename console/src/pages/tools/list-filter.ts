import { useMemo } from 'react';
import { useSearch } from 'wouter';
import { navigate } from 'wouter/use-browser-location';

/** What the list of tools is narrowed to; kept in the address, so that it can be shared and gone back to. */
export interface ListFilter {
  readonly q: string;
  /** `model`: ranked as a model's search ranks; `name`: by name, what holds the words. */
  readonly find: 'model' | 'name';
  readonly source: string;
  readonly access: string;
  readonly state: string;
}

export function useListFilter(): readonly [ListFilter, (change: Partial<ListFilter>) => void] {
  const search = useSearch();
  const filter = useMemo(() => filterOf(search), [search]);
  const change = (part: Partial<ListFilter>) =>
    navigate(`/tools${addressOf({ ...filter, ...part })}`, { replace: true });
  return [filter, change];
}

export function filterOf(search: string): ListFilter {
  const given = new URLSearchParams(search);
  return {
    q: given.get('q') ?? '',
    find: given.get('find') === 'name' ? 'name' : 'model',
    source: given.get('source') ?? '',
    access: given.get('access') ?? '',
    state: given.get('state') ?? '',
  };
}

/** `?q=…`; empty where nothing is narrowed. */
export function addressOf({ find, ...filter }: ListFilter): string {
  const set = Object.entries(filter).filter(([, value]) => value !== '');
  if (find !== 'model') set.push(['find', find]);
  return set.length === 0 ? '' : `?${new URLSearchParams(set)}`;
}
