import { type ReactNode, useRef } from 'react';
import { useOverflows } from './use-overflows.ts';

interface ScrollBoxProps {
  /** Says how large it may be. */
  readonly className: string | undefined;
  /** What stands in it, said where it takes the focus; or the id of its heading. */
  readonly label?: string | undefined;
  readonly heading?: string | undefined;
  readonly children: ReactNode;
}

/** What is larger than its place scrolls, and then by keyboard too: it takes the focus while it is larger. */
export function ScrollBox({ className, label, heading, children }: ScrollBoxProps) {
  const box = useRef<HTMLDivElement>(null);
  const scrolls = useOverflows(box);
  return (
    <div
      ref={box}
      className={className}
      {...(scrolls ? { tabIndex: 0, role: 'group', 'aria-label': label, 'aria-labelledby': heading } : {})}
    >
      {children}
    </div>
  );
}
