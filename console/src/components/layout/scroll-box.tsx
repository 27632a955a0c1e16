import { type ReactNode, useRef } from 'react';
import { useOverflows } from './use-overflows.ts';

interface ScrollBoxProps {
  /** Says how large it may be. */
  readonly className: string | undefined;
  readonly children: ReactNode;
}

/** What is larger than its place scrolls, and then by keyboard too: it takes the focus while it is larger. */
export function ScrollBox({ className, children }: ScrollBoxProps) {
  const box = useRef<HTMLDivElement>(null);
  const scrolls = useOverflows(box);
  return (
    <div ref={box} className={className} {...(scrolls ? { tabIndex: 0 } : {})}>
      {children}
    </div>
  );
}
