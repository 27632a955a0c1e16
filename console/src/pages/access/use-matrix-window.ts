import { defaultRangeExtractor, type Range, useVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import { type RefObject, useLayoutEffect } from 'react';
import { rem, useWidth } from '../../components/layout/use-width.ts';
import type { Place } from './grid-keys.ts';

/** As the style says, rem: of the people's column, the least of the others, and of a row before it was measured. */
const PEOPLE = 13;
const COLUMN = 9.5;
const ROW = 3.25;

/** A row or a column that is drawn, and what is left out before it. */
export interface Drawn {
  readonly index: number;
  /** Pixels. */
  readonly gap: number;
  /** How many. */
  readonly skipped: number;
}

/**
 * Which rows and columns of the grid are drawn: those in view, and where the focus is. All of 300 people by 300 sources
 * are half a million elements, which no browser lays out in a time that anybody waits.
 */
export function useMatrixWindow(
  box: RefObject<HTMLElement | null>,
  { rows, columns }: { readonly rows: number; readonly columns: number },
  focused: Place,
) {
  const unit = rem();
  const width = useWidth(box);
  const column = Math.max(COLUMN * unit, (width - PEOPLE * unit) / columns);
  const down = useVirtualizer({
    count: rows,
    getScrollElement: () => box.current,
    estimateSize: () => ROW * unit,
    overscan: 5,
    rangeExtractor: (range) => withPlace(range, focused.row),
  });
  const across = useVirtualizer({
    horizontal: true,
    count: columns,
    getScrollElement: () => box.current,
    estimateSize: () => column,
    overscan: 2,
    rangeExtractor: (range) => withPlace(range, focused.column - 1),
  });
  useLayoutEffect(() => {
    if (column > 0) across.measure();
  }, [column, across]);
  const items = down.getVirtualItems();
  return {
    rows: drawn(items),
    columns: drawn(across.getVirtualItems()),
    /** Below the last row that is drawn, pixels. */
    rest: down.getTotalSize() - (items.at(-1)?.end ?? 0),
    /** Of the whole grid, pixels. */
    width: PEOPLE * unit + column * columns,
    measure: down.measureElement,
    /** The last one in view, whatever has the focus. */
    last: down.range?.endIndex ?? 0,
  };
}

function withPlace(range: Range, index: number): number[] {
  const inView = defaultRangeExtractor(range);
  if (index < 0 || index >= range.count || inView.includes(index)) return inView;
  return [...inView, index].sort((one, other) => one - other);
}

function drawn(items: readonly VirtualItem[]): readonly Drawn[] {
  return items.map(({ index, start }, at) => {
    const before = items[at - 1];
    return { index, gap: start - (before?.end ?? 0), skipped: index - (before?.index ?? -1) - 1 };
  });
}
