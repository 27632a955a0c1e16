import { useState } from 'react';
import type { AccessLevel } from '../../../../gateway/src/operations/access-level.ts';
import type { AccessChange } from '../../../../gateway/src/principals/access/access-records.ts';
import type { Level } from '../../../../gateway/src/principals/directory/records.ts';
import { Field } from '../../components/forms/field.tsx';
import styles from './access.module.css';
import { editedLevel, levelChange, scopesOf, setLevel, subjectOf } from './edits.ts';
import { LEVEL_WORDS, LEVELS, levelWords } from './level-words.ts';

/** What the panels change, and how. */
export interface Editing {
  readonly changes: readonly AccessChange[];
  /** As they are stored. */
  readonly levels: readonly Level[];
  readonly edit: (change: AccessChange) => void;
  readonly undo: (subject: string) => void;
}

interface LevelEditorProps extends Editing {
  /** "What the organisation allows" */
  readonly title: string;
  /** Null: the organisation's. */
  readonly user: string | null;
  readonly source: { readonly name: string; readonly category: string };
}

/** Chooses a level for a source, its category or every other category; nothing is saved by it. */
export function LevelEditor({ title, user, source, changes, levels, edit, undo }: LevelEditorProps) {
  const scopes = scopesOf(source);
  // the narrowest: an edit in the cell of a source is about that source unless somebody says more
  const [scope, setScope] = useState(scopes[0]!.scope);
  const stored = setLevel(levels, user, scope);
  const edited = editedLevel(changes, user, scope);
  const level = edited === undefined ? stored : edited;
  const choose = (to: AccessLevel | null) => {
    const change = levelChange(levels, user, scope, to);
    if (change === undefined) undo(subjectOf({ kind: 'level', user, scope, level: to }));
    else edit(change);
  };
  return (
    <fieldset className={styles['editor']}>
      <legend>{title}</legend>
      <div className={styles['pair']}>
        <Field label="For">
          <select value={scope} onChange={({ target }) => setScope(target.value)}>
            {scopes.map((one) => (
              <option key={one.scope} value={one.scope}>
                {one.words}
              </option>
            ))}
          </select>
        </Field>
        <Field
          label="Level"
          hint={
            edited === undefined
              ? inheritedWords(levels, user, scopes, scope)
              : `Now: ${levelWords(stored)}. Not saved yet.`
          }
        >
          <select
            value={level ?? ''}
            onChange={({ target }) => choose(target.value === '' ? null : (target.value as AccessLevel))}
          >
            <option value="">Not set</option>
            {LEVELS.map((one) => (
              <option key={one} value={one}>
                {LEVEL_WORDS[one]}
              </option>
            ))}
          </select>
        </Field>
      </div>
    </fieldset>
  );
}

/** What decides where nothing is set for this scope. */
function inheritedWords(
  levels: readonly Level[],
  user: string | null,
  scopes: ReturnType<typeof scopesOf>,
  scope: string,
): string | undefined {
  if (setLevel(levels, user, scope) !== null) return undefined;
  const wider = scopes.slice(scopes.findIndex((one) => one.scope === scope) + 1);
  const found = wider.find((one) => setLevel(levels, user, one.scope) !== null);
  if (found === undefined) return 'Nothing is set: no access.';
  return `${found.words} decides: ${levelWords(setLevel(levels, user, found.scope))}.`;
}
