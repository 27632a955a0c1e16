import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  filterOperations,
  generateZodSchema,
  parseOpenApiSpec,
  sanitizeKey,
} from '../../../src/sources/azure/index.ts';
import { fixture } from '../../sources/azure/connectors.ts';
import { connectorFiles, hasConnectors, SKIPPED } from '../../sources/azure/shared-connectors.ts';

const schemaOf = (operationId: string, name: 'mini-mail' | 'mini-chat' = 'mini-mail') =>
  z.object(
    generateZodSchema(parseOpenApiSpec(fixture(name), 'api').find((one) => one.operationId === operationId)!),
  );

describe('sanitizeKey', () => {
  it.each([
    ['$filter', '_filter'],
    ['$top', '_top'],
    ['plain_name', 'plain_name'],
    ['with.dots-and-hyphens', 'with.dots-and-hyphens'],
    ['.-leading', 'leading'],
    ['a  b//c', 'a_b_c'],
    ['größe', 'gr_e'],
    ['', 'param'],
    ['.-', 'param'],
    ['x'.repeat(80), 'x'.repeat(64)],
  ])('%j becomes %j', (name, key) => {
    expect(sanitizeKey(name)).toBe(key);
  });
});

describe('generateZodSchema', () => {
  it('asks for path, query, header and form parameters, never for connectionId', () => {
    expect(Object.keys(schemaOf('DeletePhoto').shape)).toEqual(['shelf', 'box', 'If-Match']);
    expect(Object.keys(schemaOf('UploadParcel').shape)).toEqual(['label', 'content']);
  });

  it('keeps required and optional apart', () => {
    const schema = schemaOf('DeletePhoto');
    expect(schema.safeParse({ shelf: 'a', box: 'b', 'If-Match': '1' }).success).toBe(true);
    expect(schema.safeParse({ shelf: 'a', box: 'b' }).success).toBe(false);
    expect(schemaOf('ListLettersV3').safeParse({}).success).toBe(true);
  });

  it('sanitises names, fills in defaults and demands integers', () => {
    const schema = schemaOf('ListLettersV3');
    expect(Object.keys(schema.shape)).toEqual(
      ['folder', 'weight', '_filter', '_top', 'trace', 'mailboxAddress', 'from'].filter(
        (name) => name !== 'trace',
      ),
    );
    expect(schema.parse({})).toMatchObject({ folder: 'Inbox', _top: 10 });
    expect(schema.safeParse({ _top: 1.5 }).success).toBe(false);
  });

  it('flattens the body, with real nested objects and lists, not JSON texts', () => {
    const schema = schemaOf('SendLetterV2');
    const letter = {
      to: 'a@example.com',
      subject: 'Hello',
      importance: 'high',
      body: { content: '<p>Hi</p>' },
      attachments: [{ name: 'a.txt', content: 'YQ==' }],
    };
    expect(schema.parse(letter)).toEqual(letter);
    expect(schema.safeParse({ ...letter, body: '{"content":"x"}' }).success).toBe(false);
    expect(schema.safeParse({ ...letter, importance: 'urgent' }).success).toBe(false);
    expect(schema.safeParse({ ...letter, attachments: [{ name: 'a.txt' }] }).success).toBe(false);
    expect(Object.keys(schema.shape)).not.toContain('format');
  });

  it('puts body_ before a property whose name a parameter has', () => {
    const schema = schemaOf('SealBox');
    expect(Object.keys(schema.shape)).toEqual(['api-key-id', 'id', 'body_id', 'note']);
    expect(schema.safeParse({ 'api-key-id': 'k', id: 'a', body_id: 'b', note: null }).success).toBe(true);
  });

  it('takes a body without properties whole', () => {
    const schema = schemaOf('ReplaceStamps');
    expect(schema.safeParse({ body: ['YQ=='] }).success).toBe(true);
    expect(schema.safeParse({ body: [1] }).success).toBe(false);
    expect(
      schemaOf('PostMessage', 'mini-chat').safeParse({ room: 'r', kind: 'k', body: { any: 1 } }).success,
    ).toBe(true);
  });

  it('describes arguments by their titles and descriptions', () => {
    expect(schemaOf('SendLetterV2').shape.to?.description).toBe('To: Addresses with semicolons between them');
  });

  it.skipIf(!hasConnectors)(
    `makes a schema for every operation of every connector ${hasConnectors ? '' : SKIPPED}`,
    () => {
      let operations = 0;
      for (const { api, bytes } of connectorFiles()) {
        const swagger = JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, ''));
        for (const operation of filterOperations(parseOpenApiSpec(swagger, api))) {
          const shape = generateZodSchema(operation);
          for (const key of Object.keys(shape)) expect(key).toMatch(/^[A-Za-z0-9_.-]{1,64}$/);
          expect(() => z.toJSONSchema(z.object(shape), { unrepresentable: 'any' })).not.toThrow();
          operations += 1;
        }
      }
      expect(operations).toBeGreaterThan(500);
    },
  );
});
