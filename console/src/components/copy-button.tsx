import { useEffect, useState } from 'react';
import { Button } from './button.tsx';

interface CopyButtonProps {
  readonly text: string;
  /** What is copied, for its name: "the command". */
  readonly what?: string;
}

/** Copies a text and says so for two seconds. */
export function CopyButton({ text, what }: CopyButtonProps) {
  const [said, setSaid] = useState<'Copied' | 'Not allowed'>();
  useEffect(() => {
    if (said === undefined) return;
    const timer = setTimeout(() => setSaid(undefined), 2_000);
    return () => clearTimeout(timer);
  }, [said]);
  return (
    <Button
      variant="quiet"
      size="s"
      aria-label={said === undefined && what !== undefined ? `Copy ${what}` : undefined}
      aria-live="polite"
      onClick={() => {
        copied(text).then(
          () => setSaid('Copied'),
          () => setSaid('Not allowed'),
        );
      }}
    >
      {said ?? 'Copy'}
    </Button>
  );
}

/** Rejects where the browser forbids it, or has no clipboard for the page: plain HTTP from elsewhere (Clipboard API, 5). */
async function copied(text: string): Promise<void> {
  await navigator.clipboard.writeText(text);
}
