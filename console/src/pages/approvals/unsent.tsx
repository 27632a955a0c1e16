import { useRef } from 'react';
import { Button } from '../../components/button.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { useKeepPlace } from '../../components/keep-place.ts';
import { Notice } from '../../components/states/notice.tsx';
import styles from './approvals.module.css';
import { useUnsent } from './use-draft.ts';

/** What was written on a card that expired, or was decided elsewhere meanwhile. */
export function Unsent({ id }: { readonly id: string }) {
  const [texts, drop] = useUnsent(id);
  if (texts.length === 0) return null;
  return (
    <div className={styles['unsent']}>
      <Notice title="What you wrote was not sent">
        {texts.map(({ what, text }) => (
          <CodeBlock key={what} text={text} label={WORDS[what]} />
        ))}
        <PutAway onClick={drop} />
      </Notice>
    </div>
  );
}

/** It goes with what it puts away. */
function PutAway({ onClick }: { readonly onClick: () => void }) {
  const element = useRef<HTMLButtonElement>(null);
  useKeepPlace(element);
  return (
    <Button ref={element} size="s" onClick={onClick}>
      Put it away
    </Button>
  );
}

const WORDS = { reject: 'your reason', edit: 'your arguments' } as const;
