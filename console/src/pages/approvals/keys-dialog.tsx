import { Dialog } from '../../components/dialog.tsx';
import { KeyHint } from '../../components/key-hint.tsx';
import styles from './approvals.module.css';

const KEYS: ReadonlyArray<readonly [keys: string, what: string]> = [
  ['j', 'Next card that waits'],
  ['k', 'The one before'],
  ['a', 'Approve; what destroys asks for a second press'],
  ['e', 'Edit the arguments, review the difference, approve'],
  ['r', 'Reject, with a reason if you like'],
  ['A', 'Approve from now on, where the card offers it'],
  ['Esc', 'Back'],
  ['?', 'These keys'],
];

export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <p className={styles['aside']}>Letters decide only while a card has the focus.</p>
      <dl className={styles['keys']}>
        {KEYS.map(([keys, what]) => (
          <div key={keys}>
            <dt>
              <KeyHint keys={keys} />
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
