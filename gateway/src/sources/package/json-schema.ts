/** The JSON Schema of tool.schema.json that editors read. Run this file to print it. */
export async function toolContractJsonSchema(): Promise<string> {
  const [{ z }, { contractSchema }] = await Promise.all([import('zod'), import('./contract.ts')]);
  const schema = z.toJSONSchema(contractSchema, { io: 'input', reused: 'ref' });
  return `${JSON.stringify({ title: 'Toolcrib tool contract', ...schema }, null, 2)}\n`;
}

if (import.meta.main) process.stdout.write(await toolContractJsonSchema());
