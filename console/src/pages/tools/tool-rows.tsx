import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Link } from 'wouter';
import { isPageKey } from '../../app/single-keys.ts';
import { AccessBadge } from '../../components/access-badge.tsx';
import { Badge, type Tone } from '../../components/badge.tsx';
import type { OperationRow, SearchHit } from './tool-types.ts';
import styles from './tools.module.css';

type Row = OperationRow | SearchHit;

interface ToolRowsProps {
  /** What they are, for screen readers. */
  readonly label: string;
  readonly rows: readonly Row[];
  /** Told when the end comes into view. */
  readonly onEnd?: (() => void) | undefined;
}

/** A row before it was measured, pixels. */
const HEIGHT = 57;
const STEPS: Readonly<Record<string, number>> = { j: 1, k: -1 };

type KeyEvent = Pick<globalThis.KeyboardEvent, 'target' | 'preventDefault'>;

/** Any number of tools; only those in view are drawn. Arrow keys go from one to the next. */
export function ToolRows({ label, rows, onEnd }: ToolRowsProps) {
  const list = useRef<HTMLUListElement>(null);
  const [offset, setOffset] = useState(0);
  const wanted = useRef<number>(undefined);
  useEffect(() => setOffset(list.current?.offsetTop ?? 0), []);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => HEIGHT,
    overscan: 8,
    scrollMargin: offset,
    getItemKey: (index) => rows[index]!.tool,
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? -1;
  useEffect(() => {
    if (last >= rows.length - 20) onEnd?.();
  }, [last, rows.length, onEnd]);
  useEffect(() => {
    if (wanted.current === undefined) return;
    const link = list.current?.querySelector<HTMLElement>(`[data-index="${wanted.current}"] a`);
    if (link === null || link === undefined) return;
    wanted.current = undefined;
    link.focus({ preventScroll: true });
  });
  const go = (event: KeyEvent, step: number) => {
    const from = (event.target as Element).closest('[data-index]')?.getAttribute('data-index');
    // none has the focus yet: the first one in view
    const to = from == null ? (items.find(({ end }) => end > scrollY)?.index ?? 0) : Number(from) + step;
    if (step === 0 || to < 0 || to >= rows.length) return;
    event.preventDefault();
    wanted.current = to;
    virtual.scrollToIndex(to, { align: 'auto' });
    list.current?.querySelector<HTMLElement>(`[data-index="${to}"] a`)?.focus({ preventScroll: true });
  };
  // j and k also where the list has no focus
  const onPageKey = useEffectEvent((event: globalThis.KeyboardEvent) => {
    if (isPageKey(event)) go(event, STEPS[event.key] ?? 0);
  });
  useEffect(() => {
    addEventListener('keydown', onPageKey);
    return () => removeEventListener('keydown', onPageKey);
  }, []);
  return (
    <ul
      ref={list}
      className={styles['rows']}
      aria-label={label}
      // without the line below the last one, which would make the box around it scroll by a pixel, and take the focus
      style={{ height: Math.max(0, virtual.getTotalSize() - 1) }}
      onKeyDown={(event) => go(event, event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0)}
    >
      {items.map(({ key, index, start }) => (
        <li
          key={key}
          ref={virtual.measureElement}
          data-index={index}
          aria-setsize={rows.length}
          aria-posinset={index + 1}
          className={styles['place']}
          style={{ transform: `translateY(${start - offset}px)` }}
        >
          <ToolRow row={rows[index]!} />
        </li>
      ))}
    </ul>
  );
}

function ToolRow({ row }: { readonly row: Row }) {
  const same = row.operation === row.tool ? [] : [row.operation];
  const place = row.method === undefined ? same : [`${row.method} ${row.path}`];
  return (
    <Link href={`/tools/${encodeURIComponent(row.tool)}`} className={styles['link']}>
      <span className={styles['head']}>
        <span className={styles['name']}>{row.tool}</span>
        <AccessBadge access={row.access} />
        <States row={row} />
      </span>
      <span className={styles['place-of']}>{[row.source, ...place].join(' · ')}</span>
      {/* cut at its own end, whichever way it is written */}
      <span className={styles['purpose']} dir="auto">
        {row.description}
      </span>
    </Link>
  );
}

function States({ row }: { readonly row: Row }) {
  return statesOf(row).map(([word, badge]) => (
    <Badge key={word} plain {...badge}>
      {/* else it is one word with what stands before */}
      <span className="visually-hidden">, </span>
      {word}
    </Badge>
  ));
}

function statesOf(row: Row): ReadonlyArray<readonly [word: string, badge: { tone?: Tone; plain?: boolean }]> {
  if ('score' in row) return row.listed ? [] : [['reachable', {}]];
  return [
    ...(row.state === 'hidden'
      ? [[`hidden: ${row.hidden?.check}`, { tone: 'warn', plain: false }] as const]
      : []),
    ...(row.state === 'reachable' ? [[`by ${row.through}`, {}] as const] : []),
    ...(row.gate === undefined ? [] : [['asks a person', { tone: 'info', plain: false }] as const]),
    ...(row.deprecated ? [['deprecated', {}] as const] : []),
  ];
}
