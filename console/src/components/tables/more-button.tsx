import { type ComponentProps, useRef } from 'react';
import { Button } from '../button.tsx';
import { useKeepPlace } from '../keep-place.ts';

/** Brings more rows below the last one. Where it goes with the last of them, the first that came takes the focus. */
export function MoreButton({ onClick, ...button }: ComponentProps<typeof Button>) {
  const element = useRef<HTMLButtonElement>(null);
  /** The last row before it was pressed. */
  const last = useRef<Element>(null);
  useKeepPlace(element, last);
  return (
    <Button
      ref={element}
      {...button}
      onClick={(event) => {
        last.current = rowsBefore(event.currentTarget).at(-1) ?? null;
        onClick?.(event);
      }}
    />
  );
}

/** Rows of lists and tables above it; what is listed within a row is none. */
function rowsBefore(element: Element): readonly Element[] {
  return [...document.querySelectorAll('main :is(tbody tr, li)')].filter(
    (row) =>
      element.compareDocumentPosition(row) & Node.DOCUMENT_POSITION_PRECEDING &&
      row.parentElement?.closest('tr, li') === null,
  );
}
