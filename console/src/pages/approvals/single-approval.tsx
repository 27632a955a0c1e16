import { useLayoutEffect, useRef, useState } from 'react';
import { BackLink } from '../../components/back-link.tsx';
import { JsonTree } from '../../components/json/json-tree.tsx';
import { QueryState } from '../../components/states/query-state.tsx';
import { ApprovalCard } from './approval-card.tsx';
import { ApprovalFacts } from './approval-facts.tsx';
import styles from './approvals.module.css';
import { ArgumentsBox } from './arguments-box.tsx';
import { DecisionError } from './decision-error.tsx';
import { type ShownApproval, useApproval, useEdited, useUndecided } from './queries.ts';
import { Receipt } from './receipt.tsx';
import { Unsent } from './unsent.tsx';

/** One approval by its address: its card while it waits, its receipt after. */
export function SingleApproval({ id }: { readonly id: string }) {
  const approval = useApproval(id);
  const { data } = approval;
  /** The decision that was made here. */
  const [ended, setEnded] = useState<{ readonly refusal?: Error | undefined }>();
  const undecided = useUndecided(id, data?.state === 'pending' ? data : undefined);
  const receipt = useRef<HTMLElement>(null);
  const isOver = data !== undefined && undecided === undefined;
  const [waited, setWaited] = useState(false);
  if (undecided !== undefined && !waited) setWaited(true);
  useLayoutEffect(() => {
    if (isOver && ended !== undefined) receipt.current?.focus();
  }, [isOver, ended]);
  return (
    <>
      <BackLink href="/approvals">All approvals</BackLink>
      {ended?.refusal === undefined ? null : <DecisionError error={ended.refusal} />}
      {data === undefined ? (
        <QueryState query={approval} what="the approval" title="The approval could not be read" />
      ) : undecided !== undefined ? (
        <ApprovalCard approval={undecided} onEnded={(_id, refusal) => setEnded({ refusal })} />
      ) : (
        <>
          <Receipt approval={data} ref={receipt} isNews={waited} />
          <Unsent id={id} />
          <section className={styles['card']} aria-label="What was asked">
            <p className={styles['reason']}>{data.reason}</p>
            <div className={styles['columns']}>
              <ApprovalFacts approval={data} />
              <ArgumentsBox>
                <h3>Arguments as asked</h3>
                <JsonTree value={data.preview} label="Arguments" open={4} />
                <CarriedOut approval={data} />
              </ArgumentsBox>
            </div>
          </section>
        </>
      )}
    </>
  );
}

/** What was carried out instead, where a person changed the arguments. */
function CarriedOut({ approval: { usedBy, state } }: { readonly approval: ShownApproval }) {
  const { data } = useEdited(state === 'executed' || state === 'failed' ? usedBy : undefined);
  if (data === undefined) return null;
  return (
    <>
      <h3>Arguments as carried out</h3>
      <p className={styles['aside']}>Who approved the call changed them.</p>
      <JsonTree value={data} label="Arguments as carried out" open={4} />
    </>
  );
}
