/** The JSON Schema of provider manifests that editors read. Run this file to print it. */
export async function manifestJsonSchema(): Promise<string> {
  const [{ z }, { manifestSchema }] = await Promise.all([import('zod'), import('./schema.ts')]);
  const schema = z.toJSONSchema(manifestSchema, { io: 'input', reused: 'ref' });
  return `${JSON.stringify({ title: 'Toolcrib provider manifest', ...schema }, null, 2)}\n`;
}

if (import.meta.main) process.stdout.write(await manifestJsonSchema());
