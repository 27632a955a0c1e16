import { z } from 'zod';

/** A shipped provider's name, or a file; `file` for one whose name looks like a provider's. */
export type ManifestConfig = string | { readonly file: string };

export const manifestConfig: z.ZodType<ManifestConfig> = z.union([
  z.string().min(1),
  z.strictObject({ file: z.string().min(1) }),
]);
