import { ApiError } from '../../api/api-error.ts';
import { useSession } from '../../api/session.ts';
import { ErrorNote, unmade } from '../../components/states/error-note.tsx';
import { Notice } from '../../components/states/notice.tsx';

const TITLES: Readonly<Record<string, string>> = {
  approval_decided: 'It was decided elsewhere meanwhile',
  approval_expired: 'Its time was over before the decision came',
  approval_unknown: 'There is no such approval any more',
  approval_forbidden: 'This session may not decide it',
  arguments_invalid: 'The tool does not take these arguments',
};

/** Why a decision was not taken. */
export function DecisionError({ error }: { readonly error: unknown }) {
  const { data: session } = useSession();
  const code = error instanceof ApiError ? error.code : undefined;
  if (session?.can.decide === false && (code === 'approval_unknown' || code === 'approval_forbidden'))
    return (
      <Notice tone="bad" title="You may not decide any more" alert>
        <p>Nothing was decided: your right to decide was taken away after this page was opened.</p>
      </Notice>
    );
  const known = code === undefined ? undefined : TITLES[code];
  return <ErrorNote error={error} title={known ?? unmade(error, 'The decision was not taken')} />;
}
