import type { ReactNode } from 'react';
import { Button } from '../button.tsx';
import { Parts } from '../layout/stack.tsx';
import { Refusal } from '../states/error-note.tsx';
import { Dialog } from './dialog.tsx';

interface ConfirmProps {
  /** A question: "Revoke the key ci?" */
  readonly title: string;
  /** What will be, and what cannot be undone. */
  readonly children: ReactNode;
  /** The verb: "Revoke". */
  readonly action: string;
  /** What confirming sends, and what became of it; absent: something else shows that. */
  readonly sent?: { readonly isPending: boolean; readonly error: unknown; readonly reset: () => void };
  /** What did not happen, where it was refused: "The key was not revoked". */
  readonly refused?: string;
  /** What it would do is not known yet. */
  readonly waits?: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asked before something is destroyed; it stays until that is done. */
export function Confirm(props: ConfirmProps) {
  const { title, children, action, sent, refused, waits = false, onConfirm, onClose } = props;
  const isPending = sent?.isPending ?? false;
  // what became of it is not shown in what is opened next
  const close = () => {
    sent?.reset();
    onClose();
  };
  return (
    <Dialog
      title={title}
      isSaid
      waits={isPending}
      onClose={close}
      actions={
        <>
          <Button waits={isPending} onClick={close}>
            Keep it
          </Button>
          <Button variant="danger" waits={isPending || waits} onClick={onConfirm}>
            {action}
          </Button>
        </>
      }
    >
      <Parts>
        {sent === undefined ? null : <Refusal of={sent} title={refused} />}
        {children}
      </Parts>
    </Dialog>
  );
}
