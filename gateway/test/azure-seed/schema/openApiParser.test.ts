import { describe, expect, it } from 'vitest';
import { filterOperations, parseOpenApiSpec } from '../../../src/sources/azure/index.ts';
import { fixture } from '../../sources/azure/connectors.ts';
import { connector, hasConnectors, SKIPPED } from '../../sources/azure/shared-connectors.ts';

const mail = () => parseOpenApiSpec(fixture('mini-mail'), 'parcelmail');
const named = (operationId: string) => mail().find((one) => one.operationId === operationId)!;

describe('parseOpenApiSpec', () => {
  it('lists every operation of get, post, put, patch and delete before any filter', () => {
    expect(mail().map(({ operationId, method }) => `${method} ${operationId}`)).toEqual([
      'post SendLetterV2',
      'get ListLettersV3',
      'post SendLetter',
      'get ListLettersV2',
      'put PutPhoto',
      'delete DeletePhoto',
      'post UploadParcel',
      'put ReplaceStamps',
      'post SealBox',
      'post HttpRequest',
      'delete DropSubscription',
      'get OnNewLetter',
      'get ListShelves',
      'get PickerOpen',
      'get PickerBrowse',
      'post ReceiveHook',
      'post ReceiveAnswer',
      'get Ping',
      'get ListDrawers',
    ]);
  });

  it('reads summary, visibility, trigger, annotation and deprecation', () => {
    expect(named('SendLetterV2')).toMatchObject({
      path: '/{connectionId}/v2/letters',
      summary: 'Send a letter (V2)',
      description: 'Puts one letter into the outgoing tray.',
      visibility: 'important',
      isTrigger: false,
      deprecated: false,
      apiAnnotation: { family: 'SendLetter', revision: 2, status: 'Production' },
    });
    expect(named('OnNewLetter').isTrigger).toBe(true);
    expect(named('DropSubscription').visibility).toBe('none');
    expect(named('SendLetter').deprecated).toBe(true);
  });

  it('resolves parameters by reference and takes those of the path item', () => {
    const photo = named('DeletePhoto');
    expect(photo.parameters.map((one) => `${one.in} ${one.name}`)).toEqual([
      'path connectionId',
      'path shelf',
      'path box',
      'header If-Match',
    ]);
    expect(photo.parameters[1]).toMatchObject({
      required: true,
      description: 'Shelf id: Choose a shelf',
      dynamicValues: {
        operationId: 'ListShelves',
        valueCollection: 'value',
        valuePath: 'Id',
        valueTitle: 'Name',
      },
    });
  });

  it('reads form fields, files, arrays and defaults', () => {
    expect(named('UploadParcel').parameters.slice(1)).toMatchObject([
      { name: 'label', in: 'formData', type: 'string', required: true },
      { name: 'content', in: 'formData', type: 'string', format: 'binary', required: true },
      { name: 'version', in: 'formData', default: '2', visibility: 'internal' },
    ]);
    expect(named('ListLettersV3').parameters.find((one) => one.name === '$top')).toMatchObject({
      type: 'integer',
      format: 'int32',
      default: 10,
    });
  });

  it('reads the body with nested schemas, and whole bodies without properties', () => {
    const { requestBody } = named('SendLetterV2');
    expect(requestBody).toMatchObject({ required: true, requiredFields: ['to', 'subject'] });
    expect(Object.keys(requestBody!.properties)).toEqual([
      'to',
      'subject',
      'importance',
      'format',
      'body',
      'envelope',
      'attachments',
    ]);
    expect(requestBody!.properties.body).toMatchObject({
      type: 'object',
      schema: { type: 'object', properties: { content: { type: 'string' } } },
    });
    expect(requestBody!.properties.attachments!.schema).toMatchObject({
      type: 'array',
      items: { $ref: '#/$defs/Attachment' },
      $defs: { Attachment: { type: 'object' } },
    });
    expect(named('ReplaceStamps').requestBody).toMatchObject({
      properties: {},
      schema: { type: 'array', items: { type: 'string', format: 'byte' } },
    });
    expect(named('PutPhoto').requestBody).toMatchObject({ properties: {}, binary: true });
  });

  it('reads what the first 2xx answer looks like', () => {
    expect(named('ListLettersV3').responseSchema).toMatchObject({
      $ref: '#/$defs/LetterPage',
      $defs: { LetterPage: { properties: { letters: { type: 'array' } } } },
    });
    expect(named('PutPhoto').responseSchema).toBeUndefined();
  });

  it('leaves the document as it was, and takes the one inside an answer of ARM', () => {
    const swagger = fixture('mini-chat');
    const before = structuredClone(swagger);
    const plain = parseOpenApiSpec(swagger, 'cornerchat');
    expect(swagger).toEqual(before);
    expect(parseOpenApiSpec({ properties: { swagger } }, 'cornerchat')).toEqual(plain);
    expect(() => parseOpenApiSpec({ properties: {} }, 'cornerchat')).toThrow(/cornerchat.*no paths/);
  });

  describe.skipIf(!hasConnectors)(`the captured schemas ${hasConnectors ? '' : SKIPPED}`, () => {
    it.each([
      ['office365', { get: 70, post: 49, put: 1, patch: 13, delete: 10 }, [30, 68, 27, 18], 59, 27, 17],
      ['teams', { get: 54, post: 51, put: 1, patch: 2, delete: 8 }, [39, 7, 24, 46], 35, 14, 6],
    ])(
      '%s: methods, visibility, deprecated, triggers and subscriptions',
      (api, methods, visible, old, triggers, subscriptions) => {
        const operations = parseOpenApiSpec(connector(api), api);
        const count = (test: (one: (typeof operations)[number]) => boolean) => operations.filter(test).length;
        const found = Object.fromEntries(
          Object.keys(methods).map((one) => [one, count(({ method }) => method === one)]),
        );
        expect(found).toEqual(methods);
        expect(
          ['internal', 'advanced', 'important', 'none'].map((one) => count((o) => o.visibility === one)),
        ).toEqual(visible);
        expect(count(({ deprecated }) => deprecated)).toBe(old);
        expect(count(({ isTrigger }) => isTrigger)).toBe(triggers);
        expect(count(({ path }) => path.includes('$subscriptions'))).toBe(subscriptions);
      },
    );

    it.each([
      ['office365', 143, 43, 43],
      ['teams', 116, 61, 31],
    ])('%s: %i operations, %i after the filters, %i without deprecated ones', (api, all, kept, fresh) => {
      const operations = parseOpenApiSpec(connector(api), api);
      expect(operations).toHaveLength(all);
      expect(filterOperations(operations)).toHaveLength(kept);
      expect(filterOperations(operations, { includeDeprecated: false })).toHaveLength(fresh);
    });

    it.each([
      [
        'office365',
        { post: 18, get: 15, patch: 6, delete: 3, put: 1 },
        { properties: 19, binary: 2, array: 1 },
      ],
      // the figures of the bodies leave the deprecated ones in, those of the methods do not
      ['teams', { post: 16, get: 13, delete: 2 }, { binary: 1, array: 0 }],
    ])('%s: what is left by method, and its bodies', (api, methods, bodies) => {
      const kept = filterOperations(parseOpenApiSpec(connector(api), api));
      const fresh = kept.filter(({ deprecated }) => !deprecated);
      const found: Record<string, number> = {};
      for (const { method } of fresh) found[method] = (found[method] ?? 0) + 1;
      expect(found).toEqual(methods);
      const bodiesOf = kept.flatMap(({ requestBody }) => (requestBody === undefined ? [] : [requestBody]));
      const counted = {
        properties: bodiesOf.filter(({ properties }) => Object.keys(properties).length > 0).length,
        binary: bodiesOf.filter(({ binary }) => binary === true).length,
        array: bodiesOf.filter(({ schema }) => schema.type === 'array').length,
      };
      expect(counted).toMatchObject(bodies);
    });
  });
});
