import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseConfiguration, type SourceConfiguration } from '../../../src/config/index.ts';
import type { Description, HttpInvocation, Operation } from '../../../src/operations/index.ts';
import { applyRequirementRules } from '../../../src/policy/requirement-rules.ts';
import { describeText } from '../../sources/openapi/describing.ts';

const file = new URL('../../../../../shared/data/croit/openapi.json.gz', import.meta.url);

describe.skipIf(!existsSync(file))(
  'the preset on the document (skipped where the shared data is absent)',
  () => {
    let source: SourceConfiguration;
    let description: Description;
    let operations: readonly Operation[];
    beforeAll(async () => {
      const ceph = { openapi: './openapi.json', preset: 'croit' };
      const configuration = await parseConfiguration(
        { sources: { ceph } },
        { env: {}, baseDirectory: '/work' },
      );
      source = configuration.sources['ceph']!;
      const { overlay } = source.settings as { readonly overlay: readonly string[] };
      const text = gunzipSync(readFileSync(file)).toString('utf8');
      description = await describeText(
        text,
        {
          overlay: ['overlay.yaml'],
          permissions: { enabled: true, extension: source.permissions!.extension },
        },
        { 'overlay.yaml': readFileSync(overlay[0]!, 'utf8') },
      );
      ({ operations } = description);
    });

    it('gives every operation the bearer token but those that come before there is one', () => {
      // its lists take their page as JSON, which is what becomes of objects without a style
      expect(description.diagnostics.filter(({ code }) => code !== 'query-as-json')).toEqual([]);
      expect(description.securitySchemes).toMatchObject({ bearer: { type: 'http', scheme: 'bearer' } });
      const open = operations.filter(
        ({ invocation }) => (invocation as HttpInvocation).security.length === 0,
      );
      expect(open.map(({ id }) => id).sort()).toEqual([
        'AuthResource_loginBasic',
        'BackendStatusResource_getBackendStatus',
      ]);
      expect(operations).toHaveLength(580);
    });

    it('has features with 54 and 30 operations, none in both', () => {
      const features = Object.fromEntries(
        Object.entries(source.features!).map(([name, feature]) => [name, { ...feature, enabled: true }]),
      );
      const ruled = applyRequirementRules(
        operations.map((operation) => ({ ...operation, source: 'ceph' })),
        { features },
      );
      const count = (name: string) =>
        ruled.filter(({ requirements }) => requirements?.feature === name).length;
      expect([count('ceph.daos'), count('ceph.specialty')]).toEqual([54, 30]);
    });

    it('names tags that the document has', () => {
      const tags = new Set(operations.flatMap((operation) => operation.tags));
      const { features = {}, permissions, categoryAliases = {}, shaping } = source;
      const named = [
        ...Object.values(features).flatMap((feature) => feature.tags),
        ...permissions!.adminOnlyTags,
        ...Object.values(categoryAliases),
        ...Object.keys(shaping!.essential),
      ];
      expect(named.filter((name) => !tags.has(name))).toEqual([]);
    });

    it('asks for roles where the document says that they are told', () => {
      const { probe } = source.permissions!;
      const asked = operations.find(({ invocation }) => (invocation as HttpInvocation).path === probe?.path);
      expect(asked?.invocation).toMatchObject({ method: 'GET' });
      expect(asked?.output).toMatchObject({ required: expect.arrayContaining(['roles']) });
    });
  },
);
