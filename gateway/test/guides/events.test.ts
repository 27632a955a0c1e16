import { describe, expect, it } from 'vitest';
import { EVENT_TYPES } from '../../src/operations/event-types.ts';
import { readPage } from './markdown.ts';

describe('docs/events.md', () => {
  it('names every type, and no other', async () => {
    const [, table = ''] =
      /^\| type \| says \|\n\|-+\|-+\|\n(.*?)\n\n/ms.exec(await readPage('docs/events.md')) ?? [];
    const cells = table.split('\n').map((row) => row.split(' | ')[0]!);
    const named = cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, type]) => type!));
    expect(named.toSorted()).toEqual(EVENT_TYPES.toSorted());
  });
});
