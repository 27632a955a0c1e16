import { describe, expect, it } from 'vitest';
import { relatedOperations } from '../../src/hints/index.ts';

const operations = [
  { id: 'deletePool', http: { method: 'DELETE', path: '/pools/{pool}' } },
  { id: 'getPool', http: { method: 'GET', path: '/pools/{pool}' } },
  { id: 'listDisks', http: { method: 'GET', path: '/disks' } },
  { id: 'wipeDisks', http: { method: 'DELETE', path: '/disks/wipe' } },
  { id: 'ping' },
];

describe('related endpoints', () => {
  it.each([
    [['GET /disks'], ['listDisks']],
    [['get  /disks'], ['listDisks']],
    [['DELETE /disks'], []],
    [['/pools/{pool} (DELETE)'], ['deletePool']],
    [['/disks'], ['listDisks']],
    [['/disks/'], ['listDisks']],
    [['/disks?role=osd'], ['listDisks']],
    [['/pools/{pool}'], ['getPool', 'deletePool']],
    [['/pools/{name}'], ['getPool', 'deletePool']],
    [
      ['DELETE /pools/{id}', '/disks', '/pools/{pool}'],
      ['deletePool', 'listDisks', 'getPool'],
    ],
    [['/nowhere', 'ping', '', 'GET'], []],
  ])('%j are the operations %j', (relatedEndpoints, ids) => {
    expect(relatedOperations({ relatedEndpoints }, operations)).toEqual(ids);
  });
});
