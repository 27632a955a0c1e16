import { memo } from 'react';
import { calledName } from '../../components/called-name.ts';
import { duration } from '../../components/quantities.ts';
import { visibleText } from '../../components/visible-text.ts';
import styles from './call-list.module.css';
import type { CallRow } from './call-row.ts';
import { CallStateBadge } from './call-state.tsx';

interface CallLineProps {
  readonly row: CallRow;
  /** Name of whoever made it. */
  readonly caller: string;
  readonly index: number;
  /** Pixels from the top of the list. */
  readonly top: number;
  readonly height: number;
  readonly chosen: boolean;
  readonly focusable: boolean;
  readonly onFocus: (call: string) => void;
  readonly onOpen: (call: string, by: 'person') => void;
}

/** One call in the list. */
export const CallLine = memo(function CallLine(props: CallLineProps) {
  const { row, caller, index, top, height, chosen, focusable, onFocus, onOpen } = props;
  const {
    call,
    state,
    dryRun,
    startedAt,
    tool,
    operation,
    source,
    principal,
    access,
    durationMs,
    code,
    text = '',
  } = row;
  const called = calledName(tool, operation);
  return (
    // biome-ignore lint/a11y/useSemanticElements: lines that are drawn only in view
    // biome-ignore lint/a11y/useKeyWithClickEvents: Enter is the grid's
    <div
      id={`call-${call}`}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={chosen}
      tabIndex={focusable ? 0 : -1}
      className={styles['line']}
      data-state={state}
      style={{ blockSize: height, transform: `translateY(${top}px)` }}
      onFocus={() => onFocus(call)}
      onClick={() => onOpen(call, 'person')}
    >
      <Cell column="State">
        <CallStateBadge state={state} dryRun={dryRun} />
      </Cell>
      <Cell column="Time">
        <time dateTime={startedAt} title={exactly(startedAt)}>
          {when(startedAt)}
        </time>
      </Cell>
      <Cell column="Tool" title={called}>
        {visibleText(called)}
      </Cell>
      <Cell column="Source" title={source}>
        {source}
      </Cell>
      <Cell column="Caller" title={caller === principal ? principal : `${caller} (${principal})`}>
        {caller}
      </Cell>
      <Cell column="Access">{access}</Cell>
      <Cell column="Took">{durationMs === undefined ? '' : duration(durationMs)}</Cell>
      <Cell column="Outcome" title={text}>
        {code === undefined || state === 'asked' ? visibleText(text) : <code>{code}</code>}
      </Cell>
    </div>
  );
});

interface CellProps {
  readonly column: string;
  readonly title?: string;
  readonly children: React.ReactNode;
}

function Cell({ column, title, children }: CellProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: as the line
    // biome-ignore lint/a11y/useFocusableInteractive: the line has the focus
    <span role="gridcell" data-column={column} title={title}>
      {children}
    </span>
  );
}

const time = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

function exactly(at: string): string | undefined {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? undefined : exact.format(date);
}

/** `14:03:07`, of another day with its date. */
function when(at: string): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return '';
  const clock = time.format(date);
  return date.toDateString() === new Date().toDateString() ? clock : `${day.format(date)} ${clock}`;
}
