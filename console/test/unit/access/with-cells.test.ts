import { expect, it } from 'vitest';
import type {
  AccessMatrix,
  MatrixCell,
} from '../../../../gateway/src/server/http/admin/access-administration.ts';
import { shareCells } from '../../../../gateway/src/server/http/routes/access/share-cells.ts';
import { withCells } from '../../../src/pages/access/with-cells.ts';

const SOURCES = Array.from({ length: 300 }, (_, n) => `department-${n}`);

const cell = (source: string, level: MatrixCell['level']): MatrixCell => ({
  source,
  level,
  admin: 'read-write',
  user: level,
  connection: 'connected',
  reasons: { admin: 'category:*', user: 'category:*' },
  visible: 4,
});

const matrixOf = (people: number): AccessMatrix => ({
  mode: 'team',
  organisation: 'acme',
  manages: true,
  features: [],
  roles: [],
  sources: SOURCES.map((name) => ({
    name,
    kind: 'function',
    category: 'api',
    connections: 'shared',
    allowed: 'read-write',
    operations: 4,
  })),
  rows: Array.from({ length: people }, (_, n) => ({
    id: `p${n}`,
    name: `Person ${n}`,
    status: 'active',
    roles: [],
    held: [],
    permissions: [],
    features: [],
    cells: SOURCES.map((source, at) => cell(source, at === n ? 'read-only' : 'read-write')),
  })),
  total: people,
});

it('makes the whole of a matrix that was written once, a twentieth of its length', () => {
  const matrix = matrixOf(50);
  const shared = JSON.stringify(shareCells(matrix));
  expect(withCells(JSON.parse(shared))).toEqual(matrix);
  expect(shared.length).toBeLessThan(JSON.stringify(matrix).length / 20);
});
