import { readFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const published = new URL('../../schemas/toolcrib.schema.json', import.meta.url);
const quickstart = new URL('../../../examples/quickstart/toolcrib.yaml', import.meta.url);

describe('schemas/toolcrib.schema.json', () => {
  it('accepts the quickstart and refuses an unknown key', async () => {
    const validate = new Ajv2020({ strict: false }).compile(JSON.parse(await readFile(published, 'utf8')));
    expect(validate(parse(await readFile(quickstart, 'utf8')))).toBe(true);
    expect(validate({ sorces: {} })).toBe(false);
  });
});
