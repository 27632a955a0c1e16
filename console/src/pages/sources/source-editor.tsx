import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { ErrorNote } from '../../components/states/error-note.tsx';
import { QueryState } from '../../components/states/query-state.tsx';
import { editorFailure } from './editor-failure.ts';
import { KeepChoice } from './keep-choice.tsx';
import { PlanResult } from './plan-result.tsx';
import {
  type DraftChange,
  type JsonObject,
  type SourceChange,
  useSaveSource,
  useSourceOptions,
  useTrySource,
  usualKeep,
} from './queries.ts';
import styles from './sources.module.css';

export interface Draft {
  readonly section: SourceChange['section'];
  readonly name: string;
  readonly entry: JsonObject;
}

interface SourceEditorProps {
  readonly title: string;
  /** The verb that ends it: "Add". */
  readonly action: string;
  /** What is written so far, or why it is nothing yet. */
  readonly draft: Draft | string;
  readonly replace?: boolean;
  readonly onClose: () => void;
  readonly onSaved: (name: string) => void;
  readonly children: ReactNode;
}

/** A draft of a source: checked first, which shows what comes of it, then kept. */
export function SourceEditor(props: SourceEditorProps) {
  const { title, action, draft, replace = false, onClose, onSaved, children } = props;
  const form = useId();
  const options = useSourceOptions();
  const [chosen, setChosen] = useState<'file' | 'run'>();
  const check = useTrySource();
  const save = useSaveSource();
  const change: DraftChange | undefined =
    typeof draft === 'string' ? undefined : { ...draft, keep: chosen, ...(replace ? { replace } : {}) };
  // a result of what stands no longer there would be a lie
  const checked = change !== undefined && JSON.stringify(check.variables) === JSON.stringify(change);
  const plan = checked ? check.data : undefined;
  const refused = checked ? check.error : null;
  const error = save.error ?? refused;
  const busy = check.isPending || save.isPending;
  const result = useRef<HTMLDivElement>(null);
  const seen = plan ?? error;
  useEffect(() => {
    if (seen) result.current?.scrollIntoView({ block: 'nearest' });
  }, [seen]);
  const submit = () => {
    if (change === undefined || busy) return;
    save.reset();
    if (plan === undefined) return check.mutate(change);
    const { revision } = plan.file ?? {};
    save.mutate(
      { ...change, ...(revision === undefined ? {} : { revision }) },
      { onSuccess: ({ name }) => onSaved(name) },
    );
  };
  const word = plan === undefined ? 'Check' : plan.trial?.error === undefined ? action : `${action} anyway`;
  return (
    <Dialog
      title={title}
      keeps
      waits={save.isPending}
      onClose={onClose}
      actions={
        <>
          {typeof draft === 'string' ? <span className={styles['soft']}>{draft}</span> : null}
          <Button waits={save.isPending} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={form} variant="primary" disabled={change === undefined} waits={busy}>
            {check.isPending ? 'Checking…' : save.isPending ? 'Saving…' : word}
          </Button>
        </>
      }
    >
      <form
        id={form}
        className={styles['form']}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        {children}
        <QueryState query={options} what="where it can be kept" rows={1} />
        {options.data === undefined ? null : (
          <KeepChoice
            keep={chosen ?? usualKeep(options.data)}
            file={options.data.file}
            onChoose={setChosen}
          />
        )}
        <div ref={result} aria-live="polite" className={styles['form']}>
          {check.isPending ? (
            <p className={styles['soft']}>Reading it once, beside the running gateway…</p>
          ) : null}
          {error === null ? null : (
            <ErrorNote error={error} title={editorFailure({ check: refused, save: save.error, replace })} />
          )}
          {plan === undefined ? null : <PlanResult plan={plan} />}
        </div>
      </form>
    </Dialog>
  );
}
