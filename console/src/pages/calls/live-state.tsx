import { useStreamFailure, useStreamState } from '../../api/event-stream.ts';
import { Badge } from '../../components/badge.tsx';
import styles from './calls-page.module.css';

interface LiveStateProps {
  readonly paused: boolean;
  /** Events were lost meanwhile. */
  readonly gap: boolean;
}

/** Whether what is shown is what happens. */
export function LiveState({ paused, gap }: LiveStateProps) {
  const stream = useStreamState();
  const failure = useStreamFailure();
  return (
    <span className={styles['live']} role="status">
      {stream === 'lost' ? (
        <Badge tone="warn" {...(failure === undefined ? {} : { title: failure.text })}>
          reconnecting…
        </Badge>
      ) : paused ? (
        <Badge tone="warn">paused</Badge>
      ) : stream === 'open' ? (
        <Badge tone="good">live</Badge>
      ) : (
        <Badge>connecting…</Badge>
      )}
      {gap ? (
        <Badge
          tone="warn"
          title="Events between the last one seen and the oldest one kept are gone; the list was read again."
        >
          some events were missed
        </Badge>
      ) : null}
    </span>
  );
}
