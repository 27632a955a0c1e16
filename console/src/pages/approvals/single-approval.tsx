import { useRef, useState } from 'react';
import { BackLink } from '../../components/back-link.tsx';
import { JsonTree } from '../../components/json-tree.tsx';
import { QueryState } from '../../components/query-state.tsx';
import { ApprovalCard } from './approval-card.tsx';
import { ApprovalFacts } from './approval-facts.tsx';
import styles from './approvals.module.css';
import { DecisionError } from './decision-error.tsx';
import { useApproval } from './queries.ts';
import { Receipt } from './receipt.tsx';

/** One approval by its address: its card while it waits, its receipt after. */
export function SingleApproval({ id }: { readonly id: string }) {
  const approval = useApproval(id);
  const { data } = approval;
  const [refusal, setRefusal] = useState<Error>();
  const receipt = useRef<HTMLElement>(null);
  const onEnded = (_id: string, refused?: Error) => {
    setRefusal(refused);
    requestAnimationFrame(() => receipt.current?.focus());
  };
  return (
    <>
      <BackLink href="/approvals">All approvals</BackLink>
      {refusal === undefined ? null : <DecisionError error={refusal} />}
      {data === undefined ? (
        <QueryState query={approval} what="the approval" title="The approval could not be read" />
      ) : data.state === 'pending' ? (
        <ApprovalCard approval={data} onEnded={onEnded} alone />
      ) : (
        <>
          <Receipt approval={data} ref={receipt} />
          <section className={styles['card']} aria-label="What was asked">
            <p className={styles['reason']}>{data.reason}</p>
            <div className={styles['columns']}>
              <ApprovalFacts approval={data} />
              <div className={styles['arguments']}>
                <h3>Arguments as asked</h3>
                <JsonTree value={data.preview} label="Arguments" open={4} />
              </div>
            </div>
          </section>
        </>
      )}
    </>
  );
}
