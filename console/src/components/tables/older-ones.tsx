import { MoreButton } from './more-button.tsx';

interface OlderOnesProps {
  /** A list whose pages come newest first. */
  readonly query: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => unknown;
  };
  readonly className?: string | undefined;
}

/** Reads the next page; nothing where there is none. */
export function OlderOnes({ query, className }: OlderOnesProps) {
  if (!query.hasNextPage) return null;
  return (
    <p className={className}>
      <MoreButton waits={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        Older ones
      </MoreButton>
    </p>
  );
}
