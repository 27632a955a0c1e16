import type { Egress } from '../../egress/index.ts';
import type { FetchPackages } from './fetch-packages.ts';

/** What brings skills from everywhere. Archive and git readers are loaded when they are needed. */
export function createSkillFetcher({ egress }: { readonly egress: Pick<Egress, 'fetch'> }): FetchPackages {
  return async (source, staging, signal) => {
    const { fetchInto } = await import('./fetch-into.ts');
    return fetchInto(source, staging, egress, signal);
  };
}
