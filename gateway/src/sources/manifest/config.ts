import { z } from 'zod';
import type { ProviderManifest } from './manifest.ts';

/** A shipped provider's name, or a file; `file` for one whose name looks like a provider's; or the manifest itself. */
export type ManifestConfig = string | { readonly file: string } | ProviderManifest;

export const manifestConfig: z.ZodType<ManifestConfig> = z.union([
  z.string().min(1),
  z.strictObject({ file: z.string().min(1) }),
  z.looseObject({
    provider: z.string().min(1),
    operations: z.array(z.unknown()),
  }) as unknown as z.ZodType<ProviderManifest>,
]);
