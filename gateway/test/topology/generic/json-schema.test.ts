import { readdir, readFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const published = new URL('../../../schemas/category.schema.json', import.meta.url);
const categories = new URL('../../../categories/', import.meta.url);

describe('schemas/category.schema.json', () => {
  it('is named by every shipped category, which fits it', async () => {
    const validate = new Ajv2020({ strict: false }).compile(JSON.parse(await readFile(published, 'utf8')));
    for (const file of await readdir(categories)) {
      const text = await readFile(new URL(file, categories), 'utf8');
      const [, schema = ''] = /^# yaml-language-server: \$schema=(\S+)\n/.exec(text) ?? [];
      expect(new URL(schema, new URL(file, categories)).href).toBe(published.href);
      expect(validate(parse(text)), JSON.stringify(validate.errors)).toBe(true);
      expect(validate({ ...parse(text), colour: 'red' })).toBe(false);
    }
  });
});
