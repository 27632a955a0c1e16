import { useRef, useState } from 'react';
import type { PreviewedPerson } from '../../../../gateway/src/server/http/admin/access-administration.ts';
import { ApiError } from '../../api/api-error.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { count, counted } from '../../components/quantities.ts';
import { ErrorNote, unmade } from '../../components/states/error-note.tsx';
import { Loading } from '../../components/states/loading.tsx';
import { Notice } from '../../components/states/notice.tsx';
import { visibleText } from '../../components/visible-text.ts';
import styles from './changes-bar.module.css';
import { subjectOf } from './edits.ts';
import { changeWords, LEVEL_WORDS } from './level-words.ts';
import { type Edits, usePreview, useSave } from './queries.ts';

interface ChangesBarProps {
  readonly edits: Edits;
  readonly nameOf: (user: string) => string;
  readonly onUndo: (subject: string) => void;
  readonly onDiscard: () => void;
  /** Takes what is there now as what the edits were made from. */
  readonly onReadAgain: () => Promise<void>;
  readonly onSaved: () => void;
}

/** Edits that wait, what they would bring, and the way to save or drop them. */
export function ChangesBar({ edits, nameOf, onUndo, onDiscard, onReadAgain, onSaved }: ChangesBarProps) {
  const preview = usePreview(edits);
  const save = useSave(onSaved);
  const [reading, setReading] = useState(false);
  const bar = useRef<HTMLElement>(null);
  // why others were not saved says nothing of these
  const unsaved = save.variables?.changes === edits.changes ? save.error : null;
  const error = unsaved ?? preview.error;
  const conflict = error instanceof ApiError && error.code === 'record_conflict';
  const again = async () => {
    setReading(true);
    await onReadAgain().finally(() => setReading(false));
    // not before: until then a save would meet the same conflict
    save.reset();
  };
  return (
    <section ref={bar} tabIndex={-1} className={styles['bar']} aria-label="Changes that are not saved">
      <div className={styles['columns']}>
        <div>
          <h2 className={styles['title']}>{counted(edits.changes.length, 'change')}, not saved</h2>
          <ul className={styles['changes']}>
            {edits.changes.map((change) => {
              const words = changeWords(change, nameOf);
              return (
                <li key={subjectOf(change)}>
                  <span>{words}</span>
                  <Button
                    variant="quiet"
                    size="s"
                    aria-label={`Undo ${words}`}
                    onClick={() => {
                      // the button goes with its line
                      bar.current?.focus();
                      onUndo(subjectOf(change));
                    }}
                  >
                    Undo
                  </Button>
                </li>
              );
            })}
          </ul>
        </div>
        <div aria-live="polite" aria-busy={preview.isFetching}>
          <h2 className={styles['title']}>What would change</h2>
          {conflict ? (
            <Notice tone="warn" title="Somebody else changed access meanwhile" alert>
              <p>Nothing of yours was saved. Look at what is there now; your changes are kept.</p>
              <Button size="s" waits={reading} onClick={() => void again()}>
                Read it again
              </Button>
            </Notice>
          ) : error === null ? null : (
            <ErrorNote
              error={error}
              title={
                unsaved === null
                  ? 'What would change is not known'
                  : unmade(unsaved, 'The changes were not saved')
              }
              {...(unsaved === null ? { retry: () => void preview.refetch() } : {})}
            />
          )}
          {preview.isPending && error === null ? <Loading what="what would change" rows={2} /> : null}
          {preview.data === undefined || error !== null ? null : preview.data.people.length === 0 ? (
            <p className={styles['soft']}>Nothing: nobody gains or loses an operation.</p>
          ) : (
            <ul className={styles['people']}>
              {preview.data.people.map((person) => (
                <li key={person.id}>
                  <PreviewOfPerson person={person} />
                </li>
              ))}
              {preview.data.unchanged === 0 ? null : (
                <li className={styles['soft']}>Nothing for {count(preview.data.unchanged)} others.</li>
              )}
            </ul>
          )}
        </div>
      </div>
      <div className={styles['actions']}>
        <Button onClick={onDiscard}>Discard</Button>
        <Button
          variant="primary"
          waits={save.isPending}
          disabled={preview.isPending || preview.error !== null || conflict}
          onClick={() => save.mutate(edits)}
        >
          Save
        </Button>
      </div>
    </section>
  );
}

function PreviewOfPerson({ person }: { readonly person: PreviewedPerson }) {
  return (
    <details>
      <summary>
        <strong>{visibleText(person.name)}</strong>
        {person.gained === 0 ? null : <Badge tone="good">gains {count(person.gained)}</Badge>}
        {person.lost === 0 ? null : <Badge tone="bad">loses {count(person.lost)}</Badge>}
        {person.gained + person.lost === 0 ? <Badge tone="neutral">another level</Badge> : null}
      </summary>
      <dl className={styles['sources']}>
        {person.sources.map(({ source, before, after, gained, lost }) => (
          <div key={source}>
            <dt>
              {source}
              {before === after ? null : (
                <span className={styles['soft']}>
                  {' '}
                  {LEVEL_WORDS[before]} → {LEVEL_WORDS[after]}
                </span>
              )}
            </dt>
            <Names word="Gains" of={gained} />
            <Names word="Loses" of={lost} />
          </div>
        ))}
      </dl>
    </details>
  );
}

function Names({
  word,
  of,
}: {
  readonly word: string;
  readonly of: PreviewedPerson['sources'][number]['gained'];
}) {
  if (of.count === 0) return null;
  const more = of.count - of.tools.length;
  return (
    <dd>
      {word} {of.tools.join(', ')}
      {more > 0 ? ` and ${count(more)} more` : ''}
    </dd>
  );
}
