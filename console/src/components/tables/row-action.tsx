import { useRef } from 'react';
import { Button } from '../button.tsx';
import { useKeepPlace } from '../keep-place.ts';
import { visibleText } from '../visible-text.ts';

interface RowActionProps {
  /** The verb: "Remove". */
  readonly children: string;
  /** What it is done to, for its name: "reader". */
  readonly to: string;
  readonly waits?: boolean;
  readonly onClick: () => void;
}

/** Something to do with one row of a list. */
export function RowAction({ children, to, ...button }: RowActionProps) {
  const element = useRef<HTMLButtonElement>(null);
  useKeepPlace(element);
  return (
    <Button ref={element} size="s" variant="quiet" aria-label={`${children} ${visibleText(to)}`} {...button}>
      {children}
    </Button>
  );
}
