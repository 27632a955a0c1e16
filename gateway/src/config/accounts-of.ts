import type { Configuration, SourceConfiguration } from './configuration.ts';

/**
 * Whose accounts calls of a source use, by its `connections`. Default: `shared`; but a provider's account is somebody's,
 * so that in a team everybody has to have been given one.
 */
export function accountsOf(
  source: SourceConfiguration | undefined,
  isProvider: boolean,
  mode: Configuration['auth']['mode'],
): 'shared' | 'records' {
  return source?.connections ?? (isProvider && mode === 'team' ? 'records' : 'shared');
}
