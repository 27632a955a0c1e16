import { absolutePath } from '../directories.ts';
import type { N8nEntry } from '../schema/n8n.ts';
import { type SecretContext, withAbsoluteFile } from '../secrets.ts';

/** Settings of an n8n source whose files are found from any folder; `~/` is the user's. */
export function n8nSettings(entry: N8nEntry, context: SecretContext): unknown {
  const { schemas, apiKey } = entry;
  return {
    ...entry,
    ...(schemas === undefined || /^(?:file|https?):/i.test(schemas)
      ? {}
      : { schemas: absolutePath(schemas, context.baseDirectory, context.env) }),
    ...(apiKey === undefined ? {} : { apiKey: withAbsoluteFile(apiKey, context) }),
  };
}
