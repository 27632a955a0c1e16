import { z } from 'zod';

const text = z.string().min(1, 'Must not be empty.');

/** A secret in the settings of a source: the value itself, or where it stands. */
export const secretShape = z.union([text, z.strictObject({ env: text }), z.strictObject({ file: text })]);
