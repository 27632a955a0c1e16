import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { isPageKey } from '../../app/single-keys.ts';
import { Button } from '../../components/button.tsx';
import { rem, useWidth } from '../../components/layout/use-width.ts';
import { usePeople } from '../../components/people/use-people.ts';
import { counted } from '../../components/quantities.ts';
import { CallLine } from './call-line.tsx';
import styles from './call-list.module.css';
import type { CallRow } from './call-row.ts';

interface CallListProps {
  /** Newest first. */
  readonly rows: readonly CallRow[];
  /** Newer calls that are not shown because the list is held. */
  readonly fresh: number;
  /** Id of the call whose story is open. */
  readonly chosen: string | undefined;
  readonly hasEarlier: boolean;
  /** There may be older ones, which the list has no room for. */
  readonly isFull: boolean;
  readonly isLoadingEarlier: boolean;
  /** The list is not at its top: newer calls would move what is read. */
  readonly onScrolled: (scrolled: boolean) => void;
  readonly onEarlier: () => void;
  readonly onOpen: (call: string, by: 'person' | 'list') => void;
}

/** How a call is laid out in a box of so much width, rem: on one line, on two, on a telephone whose text is large on four. */
const LAYOUTS = [
  { name: 'wide', from: 46, height: 2.375 },
  { name: 'narrow', from: 18, height: 3.75 },
  { name: 'tight', from: 0, height: 5.75 },
] as const;
/** So near to the end older calls are asked for, lines. */
const NEAR_END = 30;

/** Calls as lines, of which only those in view are drawn. */
export function CallList(props: CallListProps) {
  const { rows, fresh, chosen, hasEarlier, isFull, isLoadingEarlier, onScrolled, onEarlier, onOpen } = props;
  const people = usePeople();
  const box = useRef<HTMLDivElement>(null);
  const layout = layoutOf(useWidth(box) || innerWidth);
  const height = layout.height * rem();
  const [active, setActive] = useState<string>();
  const wantsFocus = useRef<string>(undefined);
  const lines = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => height,
    getItemKey: (index) => rows[index]!.call,
    overscan: 10,
  });
  useEffect(() => {
    if (height > 0) lines.measure();
  }, [height, lines]);

  const scrolled = (lines.scrollOffset ?? 0) > height;
  useEffect(() => onScrolled(scrolled), [scrolled, onScrolled]);

  const items = lines.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasEarlier && last >= rows.length - NEAR_END) onEarlier();
  }, [hasEarlier, last, rows.length, onEarlier]);

  // the line that a key has gone to is drawn a moment later
  useLayoutEffect(() => {
    if (wantsFocus.current === undefined) return;
    const line = document.getElementById(`call-${wantsFocus.current}`);
    if (line === null) return;
    wantsFocus.current = undefined;
    line.focus({ preventScroll: true });
  });

  const go = (step: number) => {
    const from = rows.findIndex(({ call }) => call === (active ?? chosen));
    const index = from < 0 ? 0 : Math.max(0, Math.min(rows.length - 1, from + step));
    const row = rows[index];
    if (row === undefined) return;
    wantsFocus.current = row.call;
    setActive(row.call);
    lines.scrollToIndex(index);
    if (chosen !== undefined) onOpen(row.call, 'list');
  };
  const page = () => Math.max(1, Math.floor((box.current?.clientHeight ?? height) / height) - 2);
  const moved = (key: string): boolean => {
    if (key === 'j' || key === 'ArrowDown') go(1);
    else if (key === 'k' || key === 'ArrowUp') go(-1);
    else if (key === 'PageDown') go(page());
    else if (key === 'PageUp') go(-page());
    else if (key === 'Home') go(-rows.length);
    else if (key === 'End') go(rows.length);
    else return false;
    return true;
  };
  const onGridKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Enter' && active !== undefined) onOpen(active, 'person');
    else if (!moved(event.key)) return;
    event.preventDefault();
  };
  // j and k also where the list has no focus
  const onPageKey = useEffectEvent((event: globalThis.KeyboardEvent) => {
    if (!isPageKey(event)) return;
    if ((event.key === 'j' || event.key === 'k') && moved(event.key)) event.preventDefault();
  });
  useEffect(() => {
    addEventListener('keydown', onPageKey);
    return () => removeEventListener('keydown', onPageKey);
  }, []);

  const focusable =
    active !== undefined && items.some(({ key }) => key === active)
      ? active
      : rows[items[0]?.index ?? 0]?.call;
  return (
    <div className={styles['frame']}>
      {fresh === 0 ? null : (
        <div className={styles['fresh']}>
          <Button
            size="s"
            variant="primary"
            onClick={() => {
              box.current?.scrollTo({ top: 0 });
              onScrolled(false);
            }}
          >
            {counted(fresh, 'new call')} ↑
          </Button>
        </div>
      )}
      {/* biome-ignore lint/a11y/useSemanticElements: a table has no lines that are drawn only in view */}
      <div
        ref={box}
        role="grid"
        aria-label="Calls, newest first"
        aria-rowcount={rows.length + 1}
        aria-busy={isLoadingEarlier}
        tabIndex={-1}
        className={styles['grid']}
        data-narrow={layout.name !== 'wide'}
        data-tight={layout.name === 'tight'}
        onKeyDown={onGridKey}
      >
        {/* biome-ignore lint/a11y/useSemanticElements: as above */}
        <div role="rowgroup" className={styles['headings']}>
          {/* biome-ignore lint/a11y/useFocusableInteractive: headings do nothing */}
          {/* biome-ignore lint/a11y/useSemanticElements: as above */}
          <div role="row" aria-rowindex={1} className={styles['line']}>
            {['State', 'Time', 'Tool', 'Source', 'Caller', 'Access', 'Took', 'Outcome'].map((title) => (
              // biome-ignore lint/a11y/useFocusableInteractive lint/a11y/useSemanticElements: as above
              <span key={title} role="columnheader" data-column={title}>
                {title}
              </span>
            ))}
          </div>
        </div>
        {/* biome-ignore lint/a11y/useSemanticElements: as above */}
        <div role="rowgroup" className={styles['lines']} style={{ blockSize: lines.getTotalSize() }}>
          {items.map(({ index, start, key }) => (
            <CallLine
              key={key}
              row={rows[index]!}
              caller={people.nameOf(rows[index]!.principal)}
              index={index}
              top={start}
              height={height}
              chosen={key === chosen}
              focusable={key === focusable}
              onFocus={setActive}
              onOpen={onOpen}
            />
          ))}
        </div>
      </div>
      <p className={styles['foot']}>
        {counted(rows.length, 'call')}
        {isLoadingEarlier ? ', reading older ones …' : hasEarlier ? ', older ones as you scroll' : ''}
        {isFull ? ', the newest: choose days or other filters for older ones' : ''}
      </p>
    </div>
  );
}

function layoutOf(width: number) {
  return LAYOUTS.find(({ from }) => width >= from * rem()) ?? LAYOUTS[0];
}
