import { type ReactNode, useId } from 'react';
import { Button } from '../button.tsx';
import { Parts } from '../layout/stack.tsx';
import { Refusal } from '../states/error-note.tsx';
import { Dialog } from './dialog.tsx';

interface FormDialogProps {
  readonly title: string;
  /** The verb that sends it: "Save". */
  readonly action: string;
  /** What is sent, and what became of it. */
  readonly sent: { readonly isPending: boolean; readonly error: unknown };
  /** What did not happen, where it was refused: "The role was not saved". */
  readonly refused: string;
  readonly onSend: () => void;
  readonly onClose: () => void;
  /** Fields. */
  readonly children: ReactNode;
}

/** A form over the page; it stays open until what it sends is taken. */
export function FormDialog({ title, action, sent, refused, onSend, onClose, children }: FormDialogProps) {
  const form = useId();
  return (
    <Dialog
      title={title}
      keeps
      waits={sent.isPending}
      onClose={onClose}
      actions={
        <>
          <Button waits={sent.isPending} onClick={onClose}>
            Cancel
          </Button>
          <Button variant="primary" type="submit" form={form} waits={sent.isPending}>
            {action}
          </Button>
        </>
      }
    >
      <form
        id={form}
        onSubmit={(event) => {
          event.preventDefault();
          onSend();
        }}
      >
        <Parts>
          <Refusal of={sent} title={refused} />
          {children}
        </Parts>
      </form>
    </Dialog>
  );
}
