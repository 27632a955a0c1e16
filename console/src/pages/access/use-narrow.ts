import { useSyncExternalStore } from 'react';

const QUERY = '(max-width: 44rem)';

/** Whether the window is too narrow for a grid. */
export function useNarrow(): boolean {
  return useSyncExternalStore(
    (listener) => {
      const media = matchMedia(QUERY);
      media.addEventListener('change', listener);
      return () => media.removeEventListener('change', listener);
    },
    () => matchMedia(QUERY).matches,
  );
}
