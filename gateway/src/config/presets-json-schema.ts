/** The JSON Schema of preset files that editors read. Run this file to print it. */
export async function presetJsonSchema(): Promise<string> {
  const [{ z }, { presetShape }] = await Promise.all([import('zod'), import('./presets-schema.ts')]);
  const schema = z.toJSONSchema(presetShape, { io: 'input' });
  return `${JSON.stringify({ title: 'A preset of Toolcrib', ...schema }, null, 2)}\n`;
}

if (import.meta.main) process.stdout.write(await presetJsonSchema());
