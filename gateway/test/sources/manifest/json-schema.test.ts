import { readdir, readFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { shippedManifest } from '../../../src/sources/manifest/shipped.ts';
import { itemManifest } from './item-manifest.ts';
import { leverManifest } from './lever-of-the-guide.ts';

const published = new URL('../../../schemas/manifest.schema.json', import.meta.url);

describe('schemas/manifest.schema.json', () => {
  it('accepts every shipped manifest and typed ones, and refuses an unknown key', async () => {
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(
      JSON.parse(await readFile(published, 'utf8')),
    );
    const folder = new URL('.', `file://${shippedManifest('lever')}`);
    const files = await readdir(folder);
    expect(files.length).toBeGreaterThanOrEqual(4);
    for (const file of files) {
      const text = await readFile(new URL(file, folder), 'utf8');
      expect(text.split('\n', 1)[0]).toMatch(/^# yaml-language-server: \$schema=.*manifest\.schema\.json$/);
      expect(validate(parse(text, { merge: true })), `${file}: ${JSON.stringify(validate.errors)}`).toBe(
        true,
      );
    }
    expect(validate(itemManifest)).toBe(true);
    expect(validate(leverManifest)).toBe(true);
    expect(validate({ ...leverManifest, colour: 'red' })).toBe(false);
  });
});
