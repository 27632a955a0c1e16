import { describe, expect, it } from 'vitest';
import type { Event } from '../../src/operations/index.ts';
import { readPage } from './markdown.ts';

/** The type checker asks for every type that there is. */
const TYPES: Readonly<Record<Event['type'], true>> = {
  'call-started': true,
  'call-completed': true,
  'call-failed': true,
  'call-progress': true,
  'approval-requested': true,
  'approval-decided': true,
  'approval-used': true,
  'approval-void': true,
  'catalog-swapped': true,
  'tool-quarantined': true,
  'source-added': true,
  'source-changed': true,
  'source-removed': true,
  'source-failed': true,
  'source-recovered': true,
  'upstream-started': true,
  'upstream-stopped': true,
  'upstream-failed': true,
  'organisation-changed': true,
  'user-changed': true,
  'key-changed': true,
  'access-changed': true,
  'connection-changed': true,
  'feature-changed': true,
  'session-opened': true,
  'session-closed': true,
  'dynamic_tool.compile': true,
  'dynamic_tool.reload': true,
  'dynamic_tool.call': true,
  'dynamic_tool.retry': true,
  'dynamic_tool.failed': true,
  'dynamic_tool.degraded': true,
};

describe('docs/events.md', () => {
  it('names every type, and no other', async () => {
    const [, table = ''] =
      /^\| type \| says \|\n\|-+\|-+\|\n(.*?)\n\n/ms.exec(await readPage('docs/events.md')) ?? [];
    const cells = table.split('\n').map((row) => row.split(' | ')[0]!);
    const named = cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, type]) => type!));
    expect(named.toSorted()).toEqual(Object.keys(TYPES).toSorted());
  });
});
