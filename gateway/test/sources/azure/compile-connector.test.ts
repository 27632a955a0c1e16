import { describe, expect, it } from 'vitest';
import { isObject } from '../../../src/operations/index.ts';
import { compileConnector } from '../../../src/sources/azure/compile-connector.ts';
import { openConnectorDocument } from '../../../src/sources/azure/connector-document.ts';
import { fixture } from './connectors.ts';

describe('compileConnector', () => {
  it('loses one operation, and no other, to something that nobody foresaw', () => {
    const swagger = fixture('mini-chat') as Record<string, Record<string, Record<string, unknown>>>;
    const node = swagger.paths!['/{connectionId}/cards']!.post;
    if (!isObject(node)) throw new Error('the fixture has no cards');
    Object.defineProperty(node, 'x-ms-pageable', {
      get() {
        throw new TypeError('odd');
      },
    });
    const document = openConnectorDocument(swagger, { api: 'chat', location: 'chat.json' });
    const { operations, skipped } = compileConnector(document, {});
    expect(operations.map(({ operationId }) => operationId)).toEqual([
      'ListRooms',
      'PostMessage',
      'GetTeamsV2',
    ]);
    expect(skipped).toContainEqual({
      method: 'POST',
      path: '/{connectionId}/cards',
      reason: 'odd',
      operation: 'PostCard',
    });
    expect(document.log.list()).toContainEqual({
      code: 'operation-uncompilable',
      severity: 'error',
      message: 'POST /{connectionId}/cards cannot be compiled: odd.',
      pointer: '#/paths/~1{connectionId}~1cards/post',
    });
  });
});
