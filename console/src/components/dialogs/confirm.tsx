import type { ReactNode } from 'react';
import { Button } from '../button.tsx';
import { Dialog } from './dialog.tsx';

interface ConfirmProps {
  /** A question: "Revoke the key ci?" */
  readonly title: string;
  /** What will be, and what cannot be undone. */
  readonly children: ReactNode;
  /** The verb: "Revoke". */
  readonly action: string;
  readonly busy?: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asked before something is destroyed. */
export function Confirm({ title, children, action, busy = false, onConfirm, onClose }: ConfirmProps) {
  return (
    <Dialog
      title={title}
      isSaid
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Keep it</Button>
          <Button variant="danger" waits={busy} onClick={onConfirm}>
            {action}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  );
}
