import type { Ref } from 'react';
import { Link } from 'wouter';
import { Badge } from '../../components/badge.tsx';
import { usePeople } from '../../components/people/use-people.ts';
import { useSay } from '../../components/states/said.tsx';
import { Time } from '../../components/time/time.tsx';
import { STATES } from './approval-states.ts';
import styles from './approvals.module.css';
import type { ShownApproval } from './queries.ts';
import { receiptWords } from './receipt-words.ts';

/** What became of a call that waited. */
export function Receipt({
  approval,
  ref,
  isNews = false,
}: {
  readonly approval: ShownApproval;
  readonly ref?: Ref<HTMLElement>;
  /** It came while somebody looked: it is said. */
  readonly isNews?: boolean;
}) {
  const { id, state, card } = approval;
  const { label, tone } = STATES[state];
  const { nameOf } = usePeople();
  // in words that stand still: a region with the clock in it would be said every second
  useSay(isNews && state !== 'executing' ? `${label}: ${card.title}` : undefined);
  return (
    <article ref={ref} tabIndex={-1} className={styles['receipt']} aria-label={`${label}: ${card.title}`}>
      <p className={styles['outcome']}>
        <Badge tone={tone}>{label}</Badge>
        <Link href={`/approvals/${id}`} className={styles['what']}>
          {card.title}
        </Link>
        {card.receipt === undefined ? null : <Time at={card.receipt.at} />}
      </p>
      {card.receipt === undefined ? null : (
        <p className={styles['aside']}>{receiptWords(approval, nameOf)}</p>
      )}
    </article>
  );
}
