import { describe, expect, it } from 'vitest';
import { sortOut } from '../../../src/sources/azure/filters.ts';
import { type FilterFacts, filterOperations, parseOpenApiSpec } from '../../../src/sources/azure/index.ts';
import { fixture } from '../../sources/azure/connectors.ts';
import { connector, hasConnectors, SKIPPED } from '../../sources/azure/shared-connectors.ts';

const fact = (operationId: string, more: Partial<FilterFacts> = {}): FilterFacts => ({
  operationId,
  path: `/{connectionId}/${operationId}`,
  visibility: 'none',
  isTrigger: false,
  deprecated: false,
  ...more,
});
const ids = (operations: readonly FilterFacts[]) => operations.map(({ operationId }) => operationId);

describe('filterOperations', () => {
  it('drops internal operations, triggers and subscriptions', () => {
    const operations = [
      fact('Send', { visibility: 'important' }),
      fact('Meta', { visibility: 'internal' }),
      fact('OnNew', { isTrigger: true }),
      fact('Renew', { path: '/{connectionId}/$subscriptions/{id}' }),
      fact('Tidy', { visibility: 'advanced' }),
      fact('Plain'),
    ];
    expect(ids(filterOperations(operations))).toEqual(['Send', 'Tidy', 'Plain']);
  });

  it('drops older revisions of a family, and keeps the newest even where it is deprecated', () => {
    const operations = [
      fact('GetV2', { apiAnnotation: { family: 'Get', revision: 2 }, deprecated: true }),
      fact('GetV1', { apiAnnotation: { family: 'Get', revision: 1 }, deprecated: true }),
    ];
    expect(ids(filterOperations(operations))).toEqual(['GetV2']);
    expect(filterOperations(operations, { includeDeprecated: false })).toEqual([]);
  });

  it('looks for the newest revision among what is left: a hidden or subscribing one hides no other', () => {
    const operations = [
      fact('GetV1', { apiAnnotation: { family: 'Get', revision: 1 } }),
      fact('GetV2', { apiAnnotation: { family: 'Get', revision: 2 }, visibility: 'internal' }),
      fact('GetV3', {
        apiAnnotation: { family: 'Get', revision: 3 },
        path: '/{connectionId}/$subscriptions',
      }),
    ];
    expect(ids(filterOperations(operations))).toEqual(['GetV1']);
  });

  it('says why each other operation was dropped', () => {
    const { kept, dropped } = sortOut(
      [
        fact('Old', { apiAnnotation: { family: 'F', revision: 1 } }),
        fact('New', { apiAnnotation: { family: 'F', revision: 2 } }),
        fact('Hidden', { visibility: 'internal' }),
        fact('Gone', { deprecated: true }),
      ],
      { includeDeprecated: false },
    );
    expect(ids(kept)).toEqual(['New']);
    expect(
      Object.fromEntries(dropped.map(({ operation, reason }) => [operation.operationId, reason])),
    ).toEqual({
      Hidden: expect.stringContaining('internal'),
      Old: 'there is a newer revision of F',
      Gone: expect.stringContaining('deprecated'),
    });
  });

  it('keeps nine of the nineteen operations of a small mail connector', () => {
    const operations = parseOpenApiSpec(fixture('mini-mail'), 'parcelmail');
    expect(ids(filterOperations(operations))).toEqual([
      'SendLetterV2',
      'ListLettersV3',
      'PutPhoto',
      'DeletePhoto',
      'UploadParcel',
      'ReplaceStamps',
      'SealBox',
      'HttpRequest',
      'ListDrawers',
    ]);
  });

  it('reads the misspelt x-ms-visibilty, too', () => {
    const swagger = fixture('mini-chat') as Record<
      string,
      Record<string, Record<string, Record<string, unknown>>>
    >;
    swagger.paths!['/{connectionId}/cards']!.post!['x-ms-visibilty'] = 'internal';
    expect(ids(filterOperations(parseOpenApiSpec(swagger, 'chat')))).not.toContain('PostCard');
  });

  it.skipIf(!hasConnectors).each([
    ['office365', [113, 88, 86, 43]],
    ['teams', [77, 68, 64, 61]],
  ])(`%s: what each step leaves ${hasConnectors ? '' : SKIPPED}`, (api, steps) => {
    const all = parseOpenApiSpec(connector(api), api);
    const shown = all.filter(({ visibility }) => visibility !== 'internal');
    const actions = shown.filter(({ isTrigger }) => !isTrigger);
    const plain = actions.filter(({ path }) => !path.includes('$subscriptions'));
    expect([shown.length, actions.length, plain.length, filterOperations(all).length]).toEqual(steps);
    expect(filterOperations(plain)).toEqual(filterOperations(all));
  });
});
