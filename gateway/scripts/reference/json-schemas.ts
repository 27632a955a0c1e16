import { z } from 'zod';
import { DEFAULTS } from '../../src/config/defaults.ts';
import { configurationSchema } from '../../src/config/schema/configuration-file.ts';
import { presetShape } from '../../src/config/schema/presets.ts';
import { manifestSchema } from '../../src/sources/manifest/schema.ts';
import { contractSchema } from '../../src/sources/package/contract.ts';
import { manifestSchema as toolManifestSchema } from '../../src/sources/skill/manifest-schema.ts';
import { categorySchema } from '../../src/topology/generic/schema.ts';

/** What editors check files by: the file in `gateway/schemas`, its title, and the schema that the gateway has. */
export const JSON_SCHEMAS: ReadonlyArray<readonly [file: string, title: string, schema: z.ZodType]> = [
  ['toolcrib.schema.json', 'toolcrib.yaml', configurationSchema(DEFAULTS.kinds, DEFAULTS.topologies)],
  ['preset.schema.json', 'A preset of Toolcrib', presetShape],
  ['manifest.schema.json', 'Toolcrib provider manifest', manifestSchema],
  ['category.schema.json', 'Toolcrib category with generic tools', categorySchema],
  ['tool.schema.json', 'Toolcrib tool contract', contractSchema],
  ['tool-manifest.schema.json', 'tool-manifest.yaml', toolManifestSchema()],
];

export function jsonSchemaText(title: string, schema: z.ZodType): string {
  return `${JSON.stringify({ title, ...z.toJSONSchema(schema, { io: 'input', reused: 'ref' }) }, null, 2)}\n`;
}
