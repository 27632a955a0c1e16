import type { Ref } from 'react';
import { QueryState } from '../../components/states/query-state.tsx';
import { ApprovalCard } from './approval-card.tsx';
import { DecisionError } from './decision-error.tsx';
import { isUnknown, type ShownApproval, useApproval, useUndecided } from './queries.ts';
import { Receipt } from './receipt.tsx';
import { Unsent } from './unsent.tsx';

export interface Ended {
  readonly refusal?: Error | undefined;
}

interface WaitingItemProps {
  readonly id: string;
  /** While it waits. */
  readonly waiting: ShownApproval | undefined;
  /** The decision that was made here is answered: why it was not taken, if it was not. */
  readonly ended: Ended | undefined;
  readonly ref: Ref<HTMLElement>;
  readonly onEnded: (id: string, refusal?: Error) => void;
  readonly onHandLost: (id: string) => void;
}

/** A card; its receipt once it is decided, by whomever. */
export function WaitingItem({ id, waiting, ended, ref, onEnded, onHandLost }: WaitingItemProps) {
  const undecided = useUndecided(id, waiting);
  if (undecided !== undefined && ended === undefined)
    return <ApprovalCard approval={undecided} ref={ref} onEnded={onEnded} onHandLost={onHandLost} />;
  if (isUnknown(ended?.refusal))
    return (
      <section ref={ref} tabIndex={-1} aria-label="Not decided">
        <DecisionError error={ended?.refusal} />
      </section>
    );
  return (
    <>
      {ended?.refusal === undefined ? null : <DecisionError error={ended.refusal} />}
      <EndedItem id={id} itemRef={ref} />
    </>
  );
}

function EndedItem({ id, itemRef }: { readonly id: string; readonly itemRef: Ref<HTMLElement> }) {
  const ended = useApproval(id);
  if (ended.data !== undefined)
    return (
      <>
        <Receipt approval={ended.data} ref={itemRef} isNews />
        <Unsent id={id} />
      </>
    );
  // not theirs to see any more
  return isUnknown(ended.error) ? null : <QueryState query={ended} what="the receipt" rows={1} />;
}
