import { type FocusEvent, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useSessionChanges } from '../api/event-stream.ts';
import { isInside, useSession, useSessionWatch } from '../api/session.ts';
import { useSignsOutLater } from '../api/sign-out.ts';
import { Button } from '../components/button.tsx';
import { useHasOpenForm } from '../components/dialogs/open-forms.ts';
import { useBack } from '../components/dialogs/use-back.ts';
import { useFollowedNames } from '../components/people/use-people.ts';
import { Said } from '../components/states/said.tsx';
import { ApprovalWatch } from './approval-watch.tsx';
import { Away } from './away.tsx';
import { KeysHelp } from './keys-help.tsx';
import { Navigation } from './navigation.tsx';
import { setGatewayName } from './page-title.ts';
import { SessionMenu } from './session-menu.tsx';
import styles from './shell.module.css';
import { SignsOut } from './signs-out.tsx';

/** Navigation beside the page; on a narrow screen behind a button. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const [location, navigate] = useLocation();
  const [open, setOpen] = useState(false);
  const main = useRef<HTMLElement>(null);
  const menu = useRef<HTMLButtonElement>(null);
  const closeMenu = () => {
    setOpen(false);
    menu.current?.focus();
  };
  const leaveMenu = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !open) return;
    // the page has a use for it, too
    event.preventDefault();
    closeMenu();
  };
  useBack(closeMenu, open);
  // it lies over the page: what has the focus must not be below it
  const leftMenu = ({ currentTarget, relatedTarget: next }: FocusEvent) => {
    if (next !== null && next !== menu.current && !currentTarget.contains(next)) setOpen(false);
  };
  const session = useSession();
  useSessionWatch();
  useSessionChanges();
  useFollowedNames();
  const name = session.data?.gateway.name;
  const path = location.split('/')[1] ?? '';

  useEffect(() => {
    if (name !== undefined) setGatewayName(name);
  }, [name]);

  // another page: the menu closes, and whoever reads by keyboard or screen reader begins at its heading, which says where
  // they are; so does one whose link is gone with the list that it stood in. A page that is still read takes it later.
  const shown = useRef(location);
  useEffect(() => {
    if (shown.current === location) return;
    const isOther = shown.current.split('/')[1] !== path;
    shown.current = location;
    if (isOther || document.activeElement === document.body) toHeading(main.current);
    if (!isOther) return;
    setOpen(false);
    window.scrollTo(0, 0);
  }, [location, path]);

  const data = session.data;
  const outside = data !== undefined && !isInside(data);
  const hasForm = useHasOpenForm();
  const signsOut = useSignsOutLater();
  useEffect(() => {
    if (outside && !hasForm && path !== 'sign-in') {
      const back = `${location}${window.location.search}`;
      navigate(`/sign-in?back=${encodeURIComponent(back)}`, { replace: true });
    }
  }, [outside, hasForm, path, location, navigate]);

  if (signsOut) return <SignsOut />;
  return (
    <div className={styles['shell']}>
      <ApprovalWatch />
      <a className={styles['skip']} href="#main">
        Skip to the page
      </a>
      <header className={styles['bar']}>
        <Link href="/calls" className={styles['name']} title={name}>
          <img src="/icon.svg" alt="" width="24" height="24" />
          <span>{name ?? 'Toolcrib'}</span>
        </Link>
        <span className={styles['grow']} />
        {outside ? null : <KeysHelp />}
        <SessionMenu session={data} />
        {outside ? null : (
          <span className={styles['menu']}>
            <Button
              ref={menu}
              size="s"
              aria-expanded={open}
              aria-controls="navigation"
              onClick={() => setOpen(!open)}
              onKeyDown={leaveMenu}
            >
              Menu
            </Button>
          </span>
        )}
      </header>
      {outside ? null : (
        <nav
          id="navigation"
          className={styles['navigation']}
          data-open={open}
          aria-label="Pages"
          onKeyDown={leaveMenu}
          onBlur={leftMenu}
        >
          <Navigation
            current={path}
            onChosen={() => {
              setOpen(false);
              // of the page that is shown: nothing else would happen
              if (open) toHeading(main.current);
            }}
          />
        </nav>
      )}
      <main
        id="main"
        ref={main}
        tabIndex={-1}
        className={styles['main']}
        data-alone={outside}
        // the form stays, and what was read for whoever wrote it goes
        data-covered={outside && hasForm}
      >
        <Away />
        {children}
      </main>
      <Said />
    </div>
  );
}

function toHeading(main: HTMLElement | null): void {
  (main?.querySelector('h1') ?? main)?.focus({ preventScroll: true });
}
