/** The JSON Schema of tool-manifest.yaml that editors read. Run this file to print it. */
export async function toolManifestJsonSchema(): Promise<string> {
  const [{ z }, { manifestSchema }] = await Promise.all([import('zod'), import('./manifest-schema.ts')]);
  const schema = z.toJSONSchema(manifestSchema(), { io: 'input', reused: 'ref' });
  return `${JSON.stringify({ title: 'tool-manifest.yaml', ...schema }, null, 2)}\n`;
}

if (import.meta.main) process.stdout.write(await toolManifestJsonSchema());
