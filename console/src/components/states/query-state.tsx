import { UnreachableError } from '../../api/api-error.ts';
import { ErrorNote } from './error-note.tsx';
import { Loading } from './loading.tsx';

interface QueryStateProps {
  readonly query: {
    readonly isPending: boolean;
    readonly error: unknown;
    /** Of the last attempt, while it is asked again. */
    readonly failureReason: unknown;
    readonly refetch: () => unknown;
  };
  /** What is awaited, for screen readers: "calls". */
  readonly what: string;
  readonly rows?: number;
  /** As a heading: "The calls could not be read". */
  readonly title?: string;
}

/** Where the answer of a query will be: that it is awaited, or why there is none; nothing once all is well. */
export function QueryState({ query, what, rows, title }: QueryStateProps) {
  const { isPending, error, failureReason, refetch } = query;
  if (isPending && failureReason instanceof UnreachableError)
    return <ErrorNote error={failureReason} title={title} />;
  if (isPending) return <Loading what={what} rows={rows} />;
  return error === null ? null : <ErrorNote error={error} title={title} retry={() => void refetch()} />;
}
