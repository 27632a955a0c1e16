import { useId } from 'react';
import { Button } from '../../components/button.tsx';
import { KeyHint } from '../../components/key-hint.tsx';
import styles from './approvals.module.css';
import { isProxied } from './proxied.ts';
import type { ShownApproval } from './queries.ts';
import { singleClick } from './single-click.ts';

/** What is under way on the card. */
export type Mode = 'read' | 'approve' | 'always' | 'edit' | 'reject';

interface ApprovalActionsProps {
  readonly approval: ShownApproval;
  /** Id of the heading that says which call it is: buttons of all cards have the same words. */
  readonly heading: string;
  /** Why nobody can decide from here. */
  readonly obstacle: string | undefined;
  readonly busy: boolean;
  /** What “always” would cover; absent: there is none. */
  readonly always: string | undefined;
  /** What more is to be known of approving. */
  readonly covers: string | undefined;
  readonly onChoose: (mode: Mode) => void;
}

export function ApprovalActions(props: ApprovalActionsProps) {
  const { approval, heading, obstacle, busy, always, covers, onChoose } = props;
  const { labels, variant } = approval.card;
  const why = useId();
  const covered = useId();
  const shared = {
    disabled: obstacle !== undefined,
    waits: busy,
    'aria-describedby': obstacle === undefined ? heading : `${heading} ${why}`,
  };
  return (
    <>
      {covers === undefined ? null : <p className={styles['aside']}>{covers}</p>}
      <div className={styles['actions']}>
        <Button
          {...shared}
          variant={variant === 'destructive' ? 'danger' : 'primary'}
          onClick={singleClick(() => onChoose('approve'))}
        >
          {labels.approve} <KeyHint keys="a" />
        </Button>
        {isProxied(approval) ? null : (
          <Button {...shared} onClick={() => onChoose('edit')}>
            Edit <KeyHint keys="e" />
          </Button>
        )}
        <Button {...shared} onClick={() => onChoose('reject')}>
          {labels.reject} <KeyHint keys="r" />
        </Button>
        {always === undefined ? null : (
          <>
            <Button
              {...shared}
              aria-describedby={`${shared['aria-describedby']} ${covered}`}
              variant="quiet"
              title={always}
              onClick={singleClick(() => onChoose('always'))}
            >
              Always <KeyHint keys="A" />
            </Button>
            <span id={covered} hidden>
              {always}
            </span>
          </>
        )}
      </div>
      {obstacle === undefined ? null : (
        <p id={why} className={styles['obstacle']}>
          {obstacle}
        </p>
      )}
    </>
  );
}
