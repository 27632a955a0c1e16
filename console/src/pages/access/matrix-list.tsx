import { type ReactNode, useState } from 'react';
import type { AccessLevel } from '../../../../gateway/src/operations/access-level.ts';
import { count } from '../../components/quantities.ts';
import { isEdited } from './edits.ts';
import { LevelSign } from './level-sign.tsx';
import styles from './matrix-list.module.css';
import type { MatrixProps } from './matrix-props.ts';

/** Sources that are drawn of a person at first. */
const DRAWN = 12;

/** The same for narrow windows: a person, and the sources beneath. */
export function MatrixList({ matrix, rows, changes, onOpen }: MatrixProps) {
  const { sources } = matrix;
  return (
    <ul className={styles['people']} aria-label="Access of people to sources">
      <Person name="Organisation" words="what it allows at most" onOpen={() => onOpen({ user: null })}>
        {sources.map((source) => () => (
          <Cell
            key={source.name}
            source={source.name}
            level={source.allowed}
            words={`${count(source.operations)} operations`}
            edited={isEdited(changes, null, source)}
            onOpen={() => onOpen({ user: null, source: source.name })}
          />
        ))}
      </Person>
      {rows.map((row) => (
        <Person
          key={row.id}
          name={row.name}
          words={row.status === 'disabled' ? 'disabled' : row.held.join(', ') || 'no role'}
          onOpen={() => onOpen({ user: row.id })}
        >
          {sources.map((source, index) => () => (
            <Cell
              key={source.name}
              source={source.name}
              level={row.cells[index]?.level ?? 'none'}
              words={`${count(row.cells[index]?.visible ?? 0)} of ${count(source.operations)}`}
              edited={isEdited(changes, row.id, source)}
              onOpen={() => onOpen({ user: row.id, source: source.name })}
            />
          ))}
        </Person>
      ))}
    </ul>
  );
}

interface PersonProps {
  readonly name: string;
  readonly words: string;
  readonly onOpen: () => void;
  /** What draws each of the sources. */
  readonly children: ReadonlyArray<() => ReactNode>;
}

function Person({ name, words, onOpen, children: cells }: PersonProps) {
  const [all, setAll] = useState(false);
  return (
    <li>
      <h2 className={styles['person']}>
        <button type="button" onClick={onOpen}>
          {name} <span className={styles['soft']}>{words}</span>
        </button>
      </h2>
      <ul>{(all ? cells : cells.slice(0, DRAWN)).map((cell) => cell())}</ul>
      {cells.length <= DRAWN ? null : (
        <button type="button" className={styles['all']} aria-expanded={all} onClick={() => setAll(!all)}>
          All {count(cells.length)} sources<span className="visually-hidden"> of {name}</span>
        </button>
      )}
    </li>
  );
}

interface CellProps {
  readonly source: string;
  readonly level: AccessLevel | null;
  readonly words: string;
  readonly edited: boolean;
  readonly onOpen: () => void;
}

function Cell({ source, level, words, edited, onOpen }: CellProps) {
  return (
    <li>
      <button type="button" className={styles['cell']} data-edited={edited} onClick={onOpen}>
        <span className={styles['source']}>{source}</span>
        <LevelSign level={level} />
        <span className={styles['soft']}>
          {words}
          {edited ? ', edited' : ''}
        </span>
      </button>
    </li>
  );
}
