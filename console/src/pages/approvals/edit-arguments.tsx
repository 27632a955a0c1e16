import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import type { JsonObject } from '../../../../gateway/src/operations/index.ts';
import { UnreachableError } from '../../api/api-error.ts';
import { Button } from '../../components/button.tsx';
import { Field } from '../../components/forms/field.tsx';
import { faultText, type JsonFault, jsonFault } from '../../components/json/json-fault.ts';
import { KeyHint } from '../../components/key-hint.tsx';
import { counted } from '../../components/quantities.ts';
import { Refusal } from '../../components/states/error-note.tsx';
import { visibleJson } from '../../components/visible-text.ts';
import styles from './approvals.module.css';
import { differences } from './argument-diff.ts';
import { DifferenceList } from './difference-list.tsx';
import { type ShownApproval, useCheckEdit } from './queries.ts';
import { useDraft } from './use-draft.ts';

interface EditArgumentsProps {
  readonly approval: ShownApproval;
  readonly busy: boolean;
  readonly onApprove: (args: JsonObject) => void;
  readonly onCancel: () => void;
}

/** Other arguments: written as JSON, checked by the gateway, read as a difference, then approved. */
export function EditArguments({ approval, busy, onApprove, onCancel }: EditArgumentsProps) {
  const original = useMemo(() => visibleJson(approval.preview, 2), [approval.preview]);
  const [text, setText, drop] = useDraft(approval.id, 'edit', original);
  const [reviewed, setReviewed] = useState<JsonObject>();
  const area = useRef<HTMLTextAreaElement>(null);
  const approve = useRef<HTMLButtonElement>(null);
  const check = useCheckEdit(approval.id);
  const read = useMemo(() => readArguments(text), [text]);
  const changed = useMemo(
    () => (read.value === undefined ? [] : differences(approval.preview, read.value)),
    [approval.preview, read.value],
  );

  useEffect(() => (reviewed === undefined ? area : approve).current?.focus(), [reviewed]);

  const review = () => {
    const { value, fault } = read;
    if (value === undefined) return goTo(area.current, fault?.offset ?? 0);
    if (changed.length > 0) check.mutate(value, { onSuccess: () => setReviewed(value) });
  };
  const back = () => setReviewed(undefined);
  const cancel = () => {
    drop();
    onCancel();
  };
  const keys = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.stopPropagation();
      if (reviewed === undefined) cancel();
      else back();
    }
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && reviewed === undefined) review();
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape and Ctrl+Enter work wherever one is inside
    <div className={styles['edit']} onKeyDown={keys}>
      {reviewed === undefined ? (
        <>
          <Field
            label="Arguments as JSON"
            hint="What you leave as it is shown is sent as it was called, also where it is hidden or cut here."
            error={read.fault === undefined ? undefined : faultText(read.fault)}
          >
            <textarea
              ref={area}
              value={text}
              rows={Math.min(24, Math.max(6, text.split('\n').length + 1))}
              spellCheck={false}
              autoComplete="off"
              onChange={(event) => {
                setText(event.target.value);
                check.reset();
              }}
            />
          </Field>
          <Refusal
            of={check}
            title={
              check.error instanceof UnreachableError
                ? 'They could not be checked'
                : 'The tool does not take these arguments'
            }
          />
        </>
      ) : (
        <>
          <h3>The call would go out with</h3>
          <DifferenceList differences={changed} />
        </>
      )}
      <div className={styles['actions']}>
        {reviewed === undefined ? (
          <Button
            variant="primary"
            disabled={read.value !== undefined && changed.length === 0}
            waits={check.isPending}
            onClick={review}
          >
            Review {wordsOf(changed.length)} <KeyHint keys="Ctrl+Enter" />
          </Button>
        ) : (
          <Button
            ref={approve}
            variant={approval.card.variant === 'destructive' ? 'danger' : 'primary'}
            waits={busy}
            onClick={() => onApprove(reviewed)}
          >
            Approve with {wordsOf(changed.length)}
          </Button>
        )}
        <Button variant="quiet" onClick={reviewed === undefined ? cancel : back}>
          {reviewed === undefined ? 'Do not edit' : 'Back to the text'} <KeyHint keys="Esc" />
        </Button>
        {reviewed === undefined && read.value !== undefined && changed.length === 0 ? (
          <span className={styles['aside']}>Nothing is changed yet.</span>
        ) : null}
      </div>
    </div>
  );
}

type Read =
  | { readonly value: JsonObject; readonly fault?: never }
  | { readonly value?: never; readonly fault: JsonFault };

function readArguments(text: string): Read {
  const fault = jsonFault(text);
  if (fault !== undefined) return { fault };
  const value: unknown = JSON.parse(text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return { value: value as JsonObject };
  return { fault: { offset: 0, line: 1, column: 1, message: 'Arguments are an object: { "name": value }.' } };
}

function goTo(area: HTMLTextAreaElement | null, offset: number): void {
  area?.focus();
  area?.setSelectionRange(offset, offset + 1);
}

function wordsOf(changes: number): string {
  return changes === 0 ? 'changes' : counted(changes, 'change');
}
