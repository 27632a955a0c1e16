import { useEffect, useState } from 'react';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { KeyHint } from '../components/key-hint.tsx';
import styles from './keys-help.module.css';
import { type PageKey, useShownKeys } from './page-keys.ts';
import { isPageKey } from './single-keys.ts';

const EVERYWHERE: readonly PageKey[] = [
  ['Tab', 'To the next thing; the first one skips the navigation'],
  ['Enter', 'Opens'],
  ['Esc', 'Closes, back'],
  ['?', 'These keys'],
];

/** What the keyboard does here: by `?` on every page, and by a button for who does not know that. */
export function KeysHelp() {
  const [open, setOpen] = useState(false);
  const keys = useShownKeys();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === '?' && isPageKey(event)) setOpen(true);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      <span className={styles['button']}>
        <Button variant="quiet" size="s" aria-label="Keys of this page" onClick={() => setOpen(true)}>
          Keys <KeyHint keys="?" />
        </Button>
      </span>
      {open ? (
        <Dialog title="Keys" onClose={() => setOpen(false)}>
          {keys.length === 0 ? null : <KeyList title="On this page" keys={keys} />}
          <KeyList title="Everywhere" keys={EVERYWHERE} />
          <p className={styles['note']}>Settings turns single letters off.</p>
        </Dialog>
      ) : null}
    </>
  );
}

function KeyList({ title, keys }: { readonly title: string; readonly keys: readonly PageKey[] }) {
  return (
    <>
      <h3 className={styles['title']}>{title}</h3>
      <dl className={styles['keys']}>
        {keys.map(([key, what]) => (
          <div key={key}>
            <dt>
              {key.split(' ').map((one) => (
                <KeyHint key={one} keys={one} />
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
