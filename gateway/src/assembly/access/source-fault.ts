import type { Configuration } from '../../config/configuration.ts';
import { allowsReading, type GrantSource, type Principal, reachesSource } from '../../operations/index.ts';
import { unknownSource } from '../../operations/unknown-source.ts';
import { effectiveLevel } from '../../policy/effective-access.ts';

interface SourceFaultParts {
  readonly configuration: () => Pick<Configuration, 'sources'>;
  readonly grants: Pick<GrantSource, 'fresh'>;
}

/**
 * Why a client cannot have these sources alone. The operator is told of each that there is not; a user, to whom sources
 * come and go with access, where none is left, and in the same words for one that others have.
 */
export function createSourceFault({ configuration, grants }: SourceFaultParts) {
  return async (principal: Principal, asked: readonly string[]): Promise<string | undefined> => {
    const names = Object.keys(configuration().sources);
    if (principal.kind !== 'user') {
      const missing = asked.find((name) => !names.includes(name));
      return missing === undefined ? undefined : unknownSource(missing, { known: names }).message;
    }
    const granted = await grants.fresh(principal);
    const isThere = (name: string) => {
      const grant = granted.source(name);
      if (grant === undefined || !names.includes(name) || !reachesSource(principal, name)) return false;
      // without an account it has no tools yet
      return allowsReading(effectiveLevel({ admin: grant.admin, user: grant.user, connection: 'connected' }));
    };
    if (asked.some(isThere)) return undefined;
    return unknownSource(asked[0]!, { what: 'source that this caller may use, called' }).message;
  };
}
