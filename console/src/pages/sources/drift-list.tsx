import type { DriftChange } from '../../../../gateway/src/server/http/admin/gateway-sources.ts';
import { useSession } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { counted } from '../../components/quantities.ts';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { Refusal } from '../../components/states/error-note.tsx';
import { DriftItem } from './drift-item.tsx';
import { useAccept } from './queries.ts';
import styles from './sources.module.css';

/** What differs from the lock: the definitions that a person has accepted. */
export function DriftList({ changes }: { readonly changes: readonly DriftChange[] }) {
  const own = useSession().data?.can.own ?? false;
  const accept = useAccept();
  const waiting = changes.filter(({ rejected }) => rejected === undefined);
  if (changes.length === 0)
    return (
      <EmptyState title="Nothing has changed">
        <p>Every tool of this source is as it was accepted.</p>
      </EmptyState>
    );
  return (
    <>
      <div className={styles['filters']}>
        <p className={styles['soft']} role="status">
          {counted(waiting.length, 'change')} to look at
        </p>
        {own && waiting.length > 1 ? (
          <Button
            waits={accept.isPending}
            onClick={() => {
              // one by one: those of other sources were not looked at here
              void waiting
                .reduce(
                  (before, change) => before.then(() => accept.mutateAsync(change)),
                  Promise.resolve<unknown>(undefined),
                )
                .catch(() => undefined);
            }}
          >
            Accept all {waiting.length}
          </Button>
        ) : null}
      </div>
      <Refusal of={accept} title="It could not be accepted" />
      <ul className={styles['changes']} aria-label="Changes">
        {changes.map((change) => (
          <DriftItem key={change.tool} change={change} may={own} />
        ))}
      </ul>
    </>
  );
}
