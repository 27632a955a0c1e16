import { type ComponentProps, useRef, useState } from 'react';
import type { DriftChange } from '../../../../gateway/src/server/http/admin/gateway-sources.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { Field } from '../../components/forms/field.tsx';
import { useKeepPlace } from '../../components/keep-place.ts';
import { Parts } from '../../components/layout/stack.tsx';
import { Refusal } from '../../components/states/error-note.tsx';
import { Time } from '../../components/time/time.tsx';
import { visibleText } from '../../components/visible-text.ts';
import { useAccept, useReject } from './queries.ts';
import styles from './sources.module.css';

const KINDS = { added: 'new', changed: 'changed', removed: 'gone' } as const;

interface DriftItemProps {
  readonly change: DriftChange;
  /** The owner decides; everybody else reads. */
  readonly may: boolean;
}

/** What one tool has become, member by member, and what a person says to it. */
export function DriftItem({ change, may }: DriftItemProps) {
  const { tool, kind, withheld, rejected } = change;
  const accept = useAccept();
  const [rejecting, setRejecting] = useState(false);
  return (
    <li className={styles['change']}>
      <div className={styles['changeHead']}>
        <h2 className={styles['changeName']}>{visibleText(tool)}</h2>
        <Badge tone={kind === 'removed' ? 'neutral' : 'warn'} plain>
          {KINDS[kind]}
        </Badge>
        {withheld ? <Badge tone="bad">withheld</Badge> : null}
        {rejected === undefined ? null : <Badge>rejected</Badge>}
        {may ? (
          <span className={styles['changeActions']}>
            <ItemAction
              waits={accept.isPending}
              aria-label={kind === 'removed' ? `Forget ${tool}` : `Accept ${tool}`}
              onClick={() => accept.mutate(change)}
            >
              {kind === 'removed' ? 'Forget' : 'Accept'}
            </ItemAction>
            {kind === 'removed' || rejected !== undefined ? null : (
              <ItemAction variant="danger" aria-label={`Reject ${tool}`} onClick={() => setRejecting(true)}>
                Reject
              </ItemAction>
            )}
          </span>
        ) : null}
      </div>
      {rejected === undefined ? null : (
        <p className={styles['soft']}>
          Rejected <Time at={rejected.at} />
          {rejected.reason === undefined ? null : `: ${visibleText(rejected.reason)}`}
        </p>
      )}
      <Differences change={change} />
      <Refusal of={accept} title="It could not be accepted" />
      {rejecting ? <Reject tool={tool} onClose={() => setRejecting(false)} /> : null}
    </li>
  );
}

/** It goes with what it did. */
function ItemAction(props: ComponentProps<typeof Button>) {
  const element = useRef<HTMLButtonElement>(null);
  useKeepPlace(element);
  return <Button ref={element} size="s" {...props} />;
}

function Differences({ change: { kind, differences } }: { readonly change: DriftChange }) {
  if (kind === 'added')
    return <p className={styles['soft']}>The source did not have this tool when it was accepted.</p>;
  if (kind === 'removed')
    return (
      <p className={styles['soft']}>
        The source no longer has it; what was accepted is kept in case it returns.
      </p>
    );
  return (
    <dl className={styles['differences']}>
      {grouped(differences).map(({ paths, before, after }) => (
        <div key={paths.join(' ')} className={styles['difference']}>
          <dt>
            <code>{visibleText(paths.join(', '))}</code>
          </dt>
          {before === undefined ? null : (
            <dd className={styles['before']}>
              <span aria-hidden="true">− </span>
              <span className="visually-hidden">before: </span>
              <code>{visibleText(before)}</code>
            </dd>
          )}
          {after === undefined ? null : (
            <dd className={styles['after']}>
              <span aria-hidden="true">+ </span>
              <span className="visually-hidden">now: </span>
              <code>{visibleText(after)}</code>
            </dd>
          )}
        </div>
      ))}
    </dl>
  );
}

/** A text that stands in several places is shown once. */
function grouped(differences: DriftChange['differences']) {
  const groups = Map.groupBy(differences, ({ before, after }) => JSON.stringify([before, after]));
  return [...groups.values()].map((same) => ({ ...same[0]!, paths: same.map(({ path }) => path) }));
}

function Reject({ tool, onClose }: { readonly tool: string; readonly onClose: () => void }) {
  const reject = useReject();
  const [reason, setReason] = useState('');
  const stated = reason.trim();
  return (
    <Dialog
      title={`Reject what ${tool} has become?`}
      keeps
      waits={reject.isPending}
      onClose={onClose}
      actions={
        <>
          <Button waits={reject.isPending} onClick={onClose}>
            Back
          </Button>
          <Button
            variant="danger"
            waits={reject.isPending}
            onClick={() =>
              reject.mutate({ tool, ...(stated === '' ? {} : { reason: stated }) }, { onSuccess: onClose })
            }
          >
            Reject
          </Button>
        </>
      }
    >
      <Parts>
        <p>
          It stays withheld until its definition changes again. Whoever finds that it should come back accepts
          it here.
        </p>
        <Field label="Why" hint="Kept in the lock file, for whoever looks at it later.">
          <input value={reason} maxLength={500} onChange={({ target }) => setReason(target.value)} />
        </Field>
        <Refusal of={reject} title="It could not be rejected" />
      </Parts>
    </Dialog>
  );
}
