import { type ReactNode, useState } from 'react';
import { Button } from '../button.tsx';
import { counted } from '../quantities.ts';
import { visibleJson, visibleText } from '../visible-text.ts';
import styles from './json-tree.module.css';

interface JsonTreeProps {
  readonly value: unknown;
  /** What it is, for screen readers: "arguments". */
  readonly label: string;
  /** Levels that are open at first. Default 2. */
  readonly open?: number;
}

/** Members shown at once; more on request, so that a list of 100,000 rows does not stop the page. */
const SHOWN = 100;
/** Characters of a text shown at once. */
const CUT = 600;

/** A JSON value, level by level. */
export function JsonTree({ value, label, open = 2 }: JsonTreeProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls
    <div role="group" className={styles['tree']} aria-label={label}>
      <Root value={value} open={open} />
    </div>
  );
}

/** The whole is always open: a line to close it would only say what is seen. How long a list is, is said. */
function Root({ value, open }: { readonly value: unknown; readonly open: number }) {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  if (entries.length === 0) return <Node value={value} open={open} />;
  return (
    <>
      {Array.isArray(value) ? <p className={styles['soft']}>{counted(entries.length, 'item')}</p> : null}
      <Members entries={entries} open={open - 1} root />
    </>
  );
}

interface NodeProps {
  readonly name?: string;
  readonly value: unknown;
  readonly open: number;
}

function Node({ name, value, open }: NodeProps) {
  const key = name === undefined ? null : <span className={styles['key']}>{visibleText(name)}: </span>;
  if (typeof value !== 'object' || value === null) {
    return (
      <div className={styles['leaf']}>
        {key}
        <Leaf value={value} />
      </div>
    );
  }
  const list = Array.isArray(value);
  const entries = Object.entries(value);
  const count = counted(entries.length, list ? 'item' : 'member');
  if (entries.length === 0) {
    return (
      <div className={styles['leaf']}>
        {key}
        <span className={styles['soft']}>{list ? '[]' : '{}'}</span>
      </div>
    );
  }
  return <Branch label={key} count={count} entries={entries} open={open} />;
}

interface BranchProps {
  readonly label: ReactNode;
  readonly count: string;
  readonly entries: ReadonlyArray<readonly [string, unknown]>;
  readonly open: number;
}

/** Members are drawn when they are first looked at: a closed value costs a line, however much is in it. */
function Branch({ label, count, entries, open }: BranchProps) {
  const [opened, setOpened] = useState(open > 0);
  return (
    <details
      open={open > 0}
      onToggle={({ currentTarget }) => {
        if (currentTarget.open) setOpened(true);
      }}
    >
      <summary className={styles['summary']}>
        {label}
        <span className={styles['soft']}>{count}</span>
      </summary>
      {opened ? <Members entries={entries} open={open - 1} /> : null}
    </details>
  );
}

interface MembersProps {
  readonly entries: ReadonlyArray<readonly [string, unknown]>;
  readonly open: number;
  readonly root?: boolean;
}

function Members({ entries, open, root = false }: MembersProps) {
  const [shown, setShown] = useState(SHOWN);
  return (
    <div className={styles[root ? 'root' : 'members']}>
      {entries.slice(0, shown).map(([name, value]) => (
        <Node key={name} name={name} value={value} open={open} />
      ))}
      {entries.length > shown ? (
        <Button size="s" variant="quiet" onClick={() => setShown(shown * 4)}>
          {entries.length - shown} more
        </Button>
      ) : null}
    </div>
  );
}

function Leaf({ value }: { readonly value: unknown }) {
  const [whole, setWhole] = useState(false);
  if (typeof value !== 'string') return <span className={styles['value']}>{String(value)}</span>;
  const long = value.length > CUT && !whole;
  return (
    <>
      <span className={styles['text']}>{visibleJson(long ? value.slice(0, CUT) : value)}</span>
      {long ? (
        <Button size="s" variant="quiet" onClick={() => setWhole(true)}>
          {value.length - CUT} more characters
        </Button>
      ) : null}
    </>
  );
}
