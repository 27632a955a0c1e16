import { Component, type ReactNode } from 'react';
import { Button } from '../components/button.tsx';
import { EmptyState } from '../components/empty-state.tsx';

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
    return (
      <EmptyState title="This page could not be shown" tone="bad">
        <p>{error.message}</p>
        <p>The gateway may have been updated since this page was opened.</p>
        <Button onClick={() => location.reload()}>Load it again</Button>
      </EmptyState>
    );
  }
}
