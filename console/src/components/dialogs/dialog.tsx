import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useOtherPerson } from '../../api/session.ts';
import { Button } from '../button.tsx';
import { useLeaveWarning } from '../forms/use-leave-warning.ts';
import { headingAbove } from '../keep-place.ts';
import { Said } from '../states/said.tsx';
import { visibleText } from '../visible-text.ts';
import styles from './dialog.module.css';
import { useOpenForm } from './open-forms.ts';
import { SignedOut } from './signed-out.tsx';
import { useBack } from './use-back.ts';

interface DialogProps {
  readonly title: string;
  /** Also by Escape, the Back of the browser, and a click beside it. */
  readonly onClose: () => void;
  /**
   * Holds what would be lost: a click beside it does nothing, nor does the end of the session close it, and it asks
   * once something is written. `asks`: from the start.
   */
  readonly keeps?: boolean | 'asks';
  /** What it sent cannot be taken back, and what becomes of that is shown here: nothing closes it. */
  readonly waits?: boolean;
  /** Its text is said with its title: short ones. */
  readonly isSaid?: boolean;
  readonly children: ReactNode;
  readonly actions?: ReactNode;
}

/**
 * Over the page until it is closed; while it is drawn it is open. Focus goes to itself, which says its title, and back
 * when it ends.
 */
export function Dialog(props: DialogProps) {
  const { title, onClose, keeps = false, waits = false, isSaid = false, children, actions } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  /** The press began beside it: text that is selected by mouse may end there. */
  const beside = useRef(false);
  const heading = useId();
  const [written, setWritten] = useState(keeps === 'asks');
  const [asking, setAsking] = useState(false);
  const leave = () => {
    if (waits || asking) return;
    if (keeps && written) setAsking(true);
    else onClose();
  };
  const giveUp = () => {
    // the question first: what is below it takes no focus back
    flushSync(() => setAsking(false));
    onClose();
  };
  useOpenForm(keeps !== false);
  useLeaveWarning(keeps !== false && written);
  useBack(leave);
  useOtherPerson(onClose);
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
    <>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same, by the element itself */}
      <dialog
        ref={dialog}
        tabIndex={-1}
        className={styles['dialog']}
        aria-labelledby={heading}
        aria-describedby={isSaid ? `${heading}-text` : undefined}
        onCancel={(event) => {
          // pressed again and again, Escape closes it all the same (HTML, "close watcher"): onClose then asks, over it
          if (!event.cancelable) return;
          event.preventDefault();
          leave();
        }}
        onClose={() => {
          // it is drawn, so it is open
          dialog.current?.showModal();
          dialog.current?.focus();
          leave();
        }}
        onInput={({ target }) => {
          if (!isFilter(target)) setWritten(true);
        }}
        onPointerDown={(event) => {
          beside.current = event.target === dialog.current;
        }}
        onClick={(event) => {
          if (!keeps && beside.current && event.target === dialog.current) leave();
        }}
      >
        <div className={styles['inside']}>
          <header className={styles['head']}>
            <h2 id={heading}>{visibleText(title)}</h2>
            <Button variant="quiet" size="s" onClick={leave}>
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
      {asking ? <GiveUp onStay={() => setAsking(false)} onGiveUp={giveUp} /> : null}
    </>
  );
}

/** It narrows what is shown, and is sent nowhere. */
function isFilter(field: EventTarget): boolean {
  return field instanceof HTMLInputElement && field.type === 'search';
}

/** Asked over what would be lost. */
function GiveUp({ onStay, onGiveUp }: { readonly onStay: () => void; readonly onGiveUp: () => void }) {
  return (
    <Dialog
      title="Give up what stands here?"
      isSaid
      onClose={onStay}
      actions={
        <>
          <Button onClick={onStay}>Go on with it</Button>
          <Button variant="danger" onClick={onGiveUp}>
            Give it up
          </Button>
        </>
      }
    >
      <p>Nothing of it is kept.</p>
    </Dialog>
  );
}
