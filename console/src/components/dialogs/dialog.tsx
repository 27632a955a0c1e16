import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { Button } from '../button.tsx';
import { headingAbove } from '../keep-place.ts';
import { Said } from '../states/said.tsx';
import styles from './dialog.module.css';
import { useOpenForm } from './open-forms.ts';
import { SignedOut } from './signed-out.tsx';

interface DialogProps {
  readonly title: string;
  /** Also by Escape and by a click beside it. */
  readonly onClose: () => void;
  /** Holds what would be lost: a click beside it does nothing, nor does the end of the session close it. */
  readonly keeps?: boolean;
  /** Its text is said with its title: short ones. */
  readonly isSaid?: boolean;
  readonly children: ReactNode;
  readonly actions?: ReactNode;
}

/**
 * Over the page until it is closed; while it is drawn it is open. Focus goes to itself, which says its title, and back
 * when it ends.
 */
export function Dialog({ title, onClose, keeps = false, isSaid = false, children, actions }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  /** The press began beside it: text that is selected by mouse may end there. */
  const beside = useRef(false);
  const heading = useId();
  useOpenForm(keeps);
  useLayoutEffect(() => {
    const element = dialog.current;
    const opener = document.activeElement;
    const place = opener instanceof HTMLElement ? headingAbove(opener) : null;
    element?.showModal();
    // else it goes to the first button, and a screen reader says “Close” and no title
    element?.focus();
    // closed while it is still in the page: only that gives the focus back (HTML, "close the dialog")
    return () => {
      element?.close();
      // what opened it went meanwhile
      if (opener?.isConnected === false) place?.focus({ preventScroll: true });
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same, by the element itself
    <dialog
      ref={dialog}
      tabIndex={-1}
      className={styles['dialog']}
      aria-labelledby={heading}
      aria-describedby={isSaid ? `${heading}-text` : undefined}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClose={() => {
        // pressed again and again, Escape closes it without asking (HTML, "close watcher"): it is drawn, so it is open
        dialog.current?.showModal();
        dialog.current?.focus();
        onClose();
      }}
      onPointerDown={(event) => {
        beside.current = event.target === dialog.current;
      }}
      onClick={(event) => {
        if (!keeps && beside.current && event.target === dialog.current) onClose();
      }}
    >
      <div className={styles['inside']}>
        <header className={styles['head']}>
          <h2 id={heading}>{title}</h2>
          <Button variant="quiet" size="s" onClick={onClose}>
            Close
          </Button>
        </header>
        <div id={`${heading}-text`} className={styles['body']}>
          {keeps ? <SignedOut /> : null}
          {children}
        </div>
        {actions === undefined ? null : <footer className={styles['actions']}>{actions}</footer>}
        <Said />
      </div>
    </dialog>
  );
}
