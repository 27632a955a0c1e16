import { mkdir, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { temporaryHome } from './command-run.ts';

const crib = temporaryHome();

const MANIFEST = `provider: shop
displayName: Shop
category: crm
baseUrl: https://shop.example.com/v1
apiVersion: v1
auth: { type: bearer }
operations:
  - id: list_things
    method: GET
    path: /things
    access: read
    description: Lists the things on sale.
`;

describe('toolcrib lint', () => {
  it('has no word against the shipped manifests', async () => {
    const { exit, out } = await crib.run(['lint', 'greenhouse', 'zoho-recruit', 'lever']);
    expect(exit).toBe(0);
    expect(out).toMatch(/greenhouse\.yaml: 31 operations, 0 errors, 0 warnings/);
    expect(out).toMatch(/zoho-recruit\.yaml: 27 operations, 0 errors, 0 warnings/);
    expect(out).toMatch(/lever\.yaml: 47 operations, 0 errors, 0 warnings/);
  });

  it('names file and line of what is wrong, and fails', async () => {
    await writeFile(
      crib.path('shop.yaml'),
      MANIFEST.replace('access: read', 'access: read\n    colour: red'),
    );
    const { exit, out } = await crib.run(['lint', 'shop.yaml']);
    expect(exit).toBe(65);
    expect(out).toMatch(/^error operation-invalid: Operation list_things, colour: Unknown key "colour"\./);
    expect(out).toContain(`at: ${crib.path('shop.yaml')}:12`);
  });

  it('fails alike for a manifest that cannot be used at all, and prints JSON', async () => {
    await writeFile(crib.path('head.yaml'), MANIFEST.replace('category: crm\n', ''));
    const { exit, out } = await crib.run(['lint', 'head.yaml', 'lever', '--json']);
    expect(exit).toBe(65);
    const { files } = JSON.parse(out);
    expect(files).toMatchObject([
      { file: crib.path('head.yaml'), operations: 0, findings: [{ code: 'manifest-invalid' }] },
      { operations: 47 },
    ]);
  });

  it('warns without failing, and compares with an OpenAPI document', async () => {
    await writeFile(crib.path('shop.yaml'), MANIFEST);
    const document = { openapi: '3.1.0', info: { title: 't', version: '1' }, paths: {} };
    await writeFile(crib.path('shop.json'), JSON.stringify(document));
    expect((await crib.run(['lint', './shop.yaml'])).exit).toBe(0);
    const compared = await crib.run(['lint', './shop.yaml', '--openapi', 'shop.json']);
    expect(compared.exit).toBe(65);
    expect(compared.out).toMatch(/error openapi-path-missing: list_things/);
  });

  it('says what is missing', async () => {
    expect((await crib.run(['lint', 'absent.yaml'])).exit).toBe(66);
    const { exit, err } = await crib.run(['lint', 'workday']);
    expect([exit, err]).toEqual([
      66,
      expect.stringMatching(
        /^error source_unreadable: There is no file, no folder and no shipped manifest "workday"; shipped are greenhouse, /,
      ),
    ]);
    expect(err).not.toContain('configuration');
    expect((await crib.run(['lint'])).exit).toBe(64);
  });

  it('finds the skills of a marketplace of plugins, as a gateway does', async () => {
    const folder = crib.path('market/plugins/one/skills/deep');
    await mkdir(folder, { recursive: true });
    await writeFile(`${folder}/SKILL.md`, '---\nname: deep\ndescription: Lies deep.\n---\n');
    const { exit, out } = await crib.run(['lint', 'market']);
    expect([exit, out]).toEqual([0, expect.stringContaining('deep: 0 tools, 0 errors')]);
  });
});
