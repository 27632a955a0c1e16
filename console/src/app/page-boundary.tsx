import { Component, type ReactNode, useEffect, useRef } from 'react';
import { useIsAway } from '../api/gateway-away.ts';
import { Button } from '../components/button.tsx';
import { EmptyState } from '../components/states/empty-state.tsx';

interface State {
  readonly error: Error | undefined;
}

/** A page that cannot be loaded or drawn leaves the others usable. */
export class PageBoundary extends Component<{ readonly children: ReactNode }, State> {
  override state: State = { error: undefined };

  static getDerivedStateFromError(error: Error): State {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return <NotShown error={error} />;
  }
}

/** A module that could not be fetched stays so until the page is loaded again: at once when the gateway is back. */
function NotShown({ error }: { readonly error: Error }) {
  const isAway = useIsAway();
  const wasAway = useRef(false);
  useEffect(() => {
    if (wasAway.current && !isAway) location.reload();
    wasAway.current = isAway;
  }, [isAway]);
  return (
    <EmptyState title="This page could not be shown" tone="bad">
      {isAway ? (
        <p>The gateway does not answer. The page is loaded again as soon as it does.</p>
      ) : (
        <>
          <p>{error.message}</p>
          <p>The gateway may have been updated since this page was opened.</p>
          <Button onClick={() => location.reload()}>Load it again</Button>
        </>
      )}
    </EmptyState>
  );
}
