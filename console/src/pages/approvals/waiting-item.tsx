import type { Ref } from 'react';
import { QueryState } from '../../components/query-state.tsx';
import { ApprovalCard } from './approval-card.tsx';
import { DecisionError } from './decision-error.tsx';
import { type ShownApproval, useApproval } from './queries.ts';
import { Receipt } from './receipt.tsx';

interface WaitingItemProps {
  readonly id: string;
  /** While it waits. */
  readonly waiting: ShownApproval | undefined;
  /** Why the decision that was made here was not taken. */
  readonly refusal: Error | undefined;
  readonly ref: Ref<HTMLElement>;
  readonly onEnded: (id: string, refusal?: Error) => void;
}

/** A card; its receipt once it is decided, by whomever. */
export function WaitingItem({ id, waiting, refusal, ref, onEnded }: WaitingItemProps) {
  if (waiting !== undefined) return <ApprovalCard approval={waiting} ref={ref} onEnded={onEnded} />;
  return (
    <>
      {refusal === undefined ? null : <DecisionError error={refusal} />}
      <EndedItem id={id} itemRef={ref} />
    </>
  );
}

function EndedItem({ id, itemRef }: { readonly id: string; readonly itemRef: Ref<HTMLElement> }) {
  const ended = useApproval(id);
  if (ended.data !== undefined) return <Receipt approval={ended.data} ref={itemRef} />;
  return <QueryState query={ended} what="the receipt" rows={1} />;
}
