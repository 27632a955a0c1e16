import { useLeaveWarning } from '../components/forms/use-leave-warning.ts';
import { EmptyState } from '../components/states/empty-state.tsx';
import styles from './shell.module.css';

/** In place of everything, as long as the gateway has not heard that somebody signs out. */
export function SignsOut() {
  useLeaveWarning(true);
  return (
    <main className={styles['main']} data-alone>
      <EmptyState title="You are not signed out yet" tone="bad">
        <p>
          The gateway does not answer. You are signed out as soon as it does: leave this page open until then.
        </p>
      </EmptyState>
    </main>
  );
}
