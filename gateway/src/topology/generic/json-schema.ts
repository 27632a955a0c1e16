/** The JSON Schema of category files that editors read. Run this file to print it. */
export async function categoryJsonSchema(): Promise<string> {
  const [{ z }, { categorySchema }] = await Promise.all([import('zod'), import('./schema.ts')]);
  const schema = z.toJSONSchema(categorySchema, { io: 'input', reused: 'ref' });
  return `${JSON.stringify({ title: 'Toolcrib category with generic tools', ...schema }, null, 2)}\n`;
}

if (import.meta.main) process.stdout.write(await categoryJsonSchema());
