import { type ComponentProps, useLayoutEffect, useRef } from 'react';
import { Button } from '../button.tsx';
import { focusOn, nameOf } from '../keep-place.ts';

/** Brings more rows below the last one. Where it goes with the last of them, the first that came takes the focus. */
export function MoreButton({ onClick, ...button }: ComponentProps<typeof Button>) {
  const element = useRef<HTMLButtonElement>(null);
  /** The last row before it was pressed. */
  const last = useRef<Element>(undefined);
  useLayoutEffect(() => {
    const shown = element.current;
    return () => {
      if (shown === null || document.activeElement !== shown) return;
      // the rows are there once this one is gone
      queueMicrotask(() => {
        const name = nameOf(last.current?.nextElementSibling);
        if (name !== null) focusOn(name);
      });
    };
  }, []);
  return (
    <Button
      ref={element}
      {...button}
      onClick={(event) => {
        last.current = rowsBefore(event.currentTarget).at(-1);
        onClick?.(event);
      }}
    />
  );
}

function rowsBefore(element: Element): readonly Element[] {
  return [...document.querySelectorAll('main :is(tbody tr, li)')].filter(
    (row) => element.compareDocumentPosition(row) & Node.DOCUMENT_POSITION_PRECEDING,
  );
}
