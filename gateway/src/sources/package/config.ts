import { z } from 'zod';

/** Folders of tool packages, or folders that hold such folders; relative to the configuration. */
export type PackageConfig = string | readonly string[];

export const packageConfig: z.ZodType<PackageConfig> = z.union([
  z.string().min(1),
  z.array(z.string().min(1)).min(1),
]);
