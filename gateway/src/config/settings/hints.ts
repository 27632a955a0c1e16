import type { z } from 'zod';
import { ToolcribError } from '../../errors.ts';
import type { hintsShape } from '../schema/hints.ts';

/** Where one source's hints for models come from. */
export interface HintsConfiguration {
  /** Relative to the configuration, or a URL. */
  readonly file?: string | undefined;
  readonly extension?: string | undefined;
}

/** `hints` of a source, complete. Throws `configuration_invalid` for a source that is no document. */
export function hintsConfiguration(
  given: z.infer<typeof hintsShape>,
  { source, kind }: { readonly source: string; readonly kind: string },
): HintsConfiguration {
  if (kind !== 'openapi') {
    throw new ToolcribError(
      'configuration_invalid',
      `Source ${source} is of kind ${kind}: hints are laid over OpenAPI documents only.`,
      { pointer: `#/sources/${source}/hints` },
    );
  }
  return typeof given === 'string' ? { file: given } : given;
}
