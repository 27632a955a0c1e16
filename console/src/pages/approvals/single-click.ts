import type { MouseEvent } from 'react';

/** The second click of a double click does nothing: it was not meant for the button that came under it. */
export function singleClick(act: () => void): (event: MouseEvent) => void {
  return ({ detail }) => {
    if (detail <= 1) act();
  };
}
