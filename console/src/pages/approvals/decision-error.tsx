import { ApiError } from '../../api/api-error.ts';
import { ErrorNote } from '../../components/states/error-note.tsx';

const TITLES: Readonly<Record<string, string>> = {
  approval_decided: 'It was decided elsewhere meanwhile',
  approval_expired: 'Its time was over before the decision came',
  approval_unknown: 'There is no such approval any more',
  approval_forbidden: 'This session may not decide it',
  arguments_invalid: 'The tool does not take these arguments',
};

/** Why a decision was not taken. */
export function DecisionError({ error }: { readonly error: unknown }) {
  const known = error instanceof ApiError ? TITLES[error.code] : undefined;
  return <ErrorNote error={error} title={known ?? 'The decision was not taken'} />;
}
