import type { SourceConfiguration } from './configuration.ts';

/** The category of sources that name none. */
const DEFAULT_CATEGORY = 'api';

/** The category by which levels are set for a source: its own, else its provider's. */
export function categoryOf(
  source: SourceConfiguration | undefined,
  provider: { readonly category?: string } | undefined,
): string {
  return source?.category ?? provider?.category ?? DEFAULT_CATEGORY;
}
