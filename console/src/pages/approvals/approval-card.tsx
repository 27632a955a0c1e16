import {
  type KeyboardEvent,
  type Ref,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useState,
} from 'react';
import type { ApprovalDecision, JsonObject } from '../../../../gateway/src/operations/index.ts';
import { isTyping } from '../../components/is-typing.ts';
import { JsonTree } from '../../components/json/json-tree.tsx';
import { usePeople } from '../../components/people/use-people.ts';
import { ApprovalActions, type Mode } from './approval-actions.tsx';
import { ApprovalFacts } from './approval-facts.tsx';
import styles from './approvals.module.css';
import { ArgumentsBox } from './arguments-box.tsx';
import { ConfirmDecision } from './confirm-decision.tsx';
import { DecisionError } from './decision-error.tsx';
import { EditArguments } from './edit-arguments.tsx';
import { useObstacle } from './obstacle.ts';
import { OnItsWay } from './on-its-way.tsx';
import { isProxied } from './proxied.ts';
import { OVER, type ShownApproval, useDecide } from './queries.ts';
import { RejectForm } from './reject-form.tsx';
import { isDoublePress } from './single-click.ts';
import { alwaysCovers, approveCovers, whyNotAlways } from './standing-words.ts';
import { TimeLeft } from './time-left.tsx';
import { useLingers } from './use-lingers.ts';

interface ApprovalCardProps {
  readonly approval: ShownApproval;
  readonly ref?: Ref<HTMLElement>;
  /** Its decision was taken, here or meanwhile elsewhere. */
  readonly onEnded: (id: string, refusal?: Error) => void;
  /** It goes while the focus is inside, by no decision that was sent from it. */
  readonly onHandLost?: (id: string) => void;
}

/** A call that waits for a person, with everything to decide by. Its keys count while the focus is inside. */
export function ApprovalCard({ approval, ref, onEnded, onHandLost }: ApprovalCardProps) {
  const { id, card, preview, reason } = approval;
  const [mode, setMode] = useState<Mode>('read');
  const [refused, setRefused] = useState(0);
  const decide = useDecide(id);
  const obstacle = useObstacle(approval);
  const heading = useId();
  const actions = useLingers(mode === 'read');
  const destructive = card.variant === 'destructive';
  const { fullNameOf } = usePeople();
  const named = { ...approval, principal: fullNameOf(approval.principal) };
  const always = alwaysCovers(named);

  // decided elsewhere, or expired: the focus went with it
  const lost = useEffectEvent(() => {
    if (decide.isIdle) onHandLost?.(id);
  });
  useLayoutEffect(() => {
    const element = document.getElementById(`approval-${id}`);
    return () => {
      if (element?.contains(document.activeElement)) lost();
    };
  }, [id]);
  // the button that was pressed went with what it confirmed
  useEffect(() => {
    if (refused > 0 && document.activeElement === document.body)
      document.getElementById(`approval-${id}`)?.focus();
  }, [refused, id]);
  const send = (decision: ApprovalDecision) => {
    decide.mutate(decision, {
      onSuccess: () => onEnded(id),
      onError: (error) => {
        // what was written is kept, to be sent again
        setMode((now) => (now === 'edit' || now === 'reject' ? now : 'read'));
        if ('code' in error && OVER.has(String(error.code))) onEnded(id, error);
        else setRefused((times) => times + 1);
      },
    });
  };
  const enter = (next: Mode) => {
    if (obstacle !== undefined || decide.isPending) return;
    decide.reset();
    if (next === 'approve' && !destructive && mode === 'read') send({ decision: 'approve' });
    else if (next === 'approve' && mode === 'approve') send({ decision: 'approve' });
    else if (next === 'always' && mode === 'always') send({ decision: 'approve_always' });
    else if (next === 'always' ? always !== undefined : next !== 'edit' || !isProxied(approval))
      setMode(next);
  };
  const leave = (element: HTMLElement | null) => {
    setMode('read');
    element?.closest<HTMLElement>('article')?.focus();
  };
  const keys = (event: KeyboardEvent<HTMLElement>) => {
    if (event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape' && mode !== 'read') return leave(event.currentTarget);
    const next = KEYS[event.key];
    if (next === undefined || isTyping(event.target)) return;
    // the letter is not for the field that opens
    event.preventDefault();
    const agrees = next === 'approve' || next === 'always';
    if (!(agrees && isDoublePress(event.key))) enter(next);
  };
  const cancel = () => leave(document.activeElement as HTMLElement | null);

  return (
    <article
      ref={ref}
      tabIndex={-1}
      id={`approval-${id}`}
      className={styles['card']}
      data-variant={card.variant}
      aria-labelledby={heading}
      onKeyDown={keys}
    >
      {destructive ? (
        <p className={styles['band']}>
          <span aria-hidden="true">⚠</span> Destructive
        </p>
      ) : null}
      <header className={styles['head']}>
        <h2 id={heading} className={styles['title']}>
          {card.title}
        </h2>
        <span>
          {decide.isPending ? <OnItsWay /> : null} <TimeLeft until={approval.expiresAt} />
        </span>
      </header>
      <p className={styles['reason']}>{reason}</p>
      <div className={styles['columns']}>
        <ApprovalFacts approval={approval} />
        {mode === 'edit' ? null : <Arguments preview={preview} />}
      </div>
      {decide.isError ? <DecisionError error={decide.error} /> : null}
      {actions ? (
        <div className={styles['parts']} data-going={mode !== 'read'}>
          <ApprovalActions
            approval={approval}
            heading={heading}
            obstacle={obstacle}
            busy={decide.isPending}
            always={always}
            covers={approveCovers(named) ?? whyNotAlways(approval)}
            onChoose={(next) => {
              if (mode === 'read') enter(next);
            }}
          />
        </div>
      ) : null}
      {mode === 'approve' ? (
        <ConfirmDecision
          words={`${card.title}. It runs once, with exactly these arguments; what it destroys may not come back.`}
          label={`Yes: ${card.labels.approve.toLowerCase()}`}
          keys="a"
          destructive={destructive}
          busy={decide.isPending}
          onConfirm={() => enter('approve')}
          onCancel={cancel}
        />
      ) : null}
      {mode === 'always' && always !== undefined ? (
        <ConfirmDecision
          words={always}
          label="Yes: approve from now on"
          keys="A"
          destructive={destructive}
          busy={decide.isPending}
          onConfirm={() => enter('always')}
          onCancel={cancel}
        />
      ) : null}
      {mode === 'edit' ? (
        <EditArguments
          approval={approval}
          busy={decide.isPending}
          onApprove={(args) => send({ decision: 'edit', arguments: args })}
          onCancel={cancel}
        />
      ) : null}
      {mode === 'reject' ? (
        <RejectForm
          id={id}
          label={card.labels.reject}
          busy={decide.isPending}
          onReject={(said) => send({ decision: 'reject', ...(said === undefined ? {} : { reason: said }) })}
          onCancel={cancel}
        />
      ) : null}
    </article>
  );
}

/** Levels that are open: nobody agrees to what is folded away. Nests without end stay a line. */
const LEVELS = 12;

function Arguments({ preview }: { readonly preview: JsonObject }) {
  return (
    <ArgumentsBox>
      <h3>Arguments</h3>
      {Object.keys(preview).length === 0 ? (
        <p className={styles['aside']}>The call has none.</p>
      ) : (
        <JsonTree value={preview} label="Arguments" open={LEVELS} />
      )}
    </ArgumentsBox>
  );
}

const KEYS: Readonly<Record<string, Mode>> = { a: 'approve', e: 'edit', r: 'reject', A: 'always' };
