import { DEFAULTS } from './defaults.ts';

/** The JSON Schema of toolcrib.yaml that editors read. Run this file to print it. */
export async function configurationJsonSchema(): Promise<string> {
  const [{ z }, { configurationSchema }] = await Promise.all([import('zod'), import('./schema.ts')]);
  const schema = z.toJSONSchema(configurationSchema(DEFAULTS.kinds, DEFAULTS.topologies), {
    io: 'input',
    reused: 'ref',
  });
  return `${JSON.stringify({ title: 'toolcrib.yaml', ...schema }, null, 2)}\n`;
}

if (import.meta.main) process.stdout.write(await configurationJsonSchema());
