import { Link } from 'wouter';
import { useSession } from '../../api/session.ts';
import { isNamedAfter } from '../../components/called-name.ts';
import { filled } from '../../components/filled.ts';
import { usePeople } from '../../components/people/use-people.ts';
import { Notice } from '../../components/states/notice.tsx';
import { visibleText } from '../../components/visible-text.ts';
import { WithCode } from '../../components/with-code.tsx';
import styles from './call-story.module.css';
import type { CallStory as Story } from './queries.ts';

/** Why a call was not answered, what to do next, and the page where that is done. */
export function CallError({ story }: { readonly story: Story }) {
  const { state, error, organisation } = story;
  if (error === undefined) return null;
  return (
    <Notice tone={state === 'asked' ? 'warn' : 'bad'} title={<code>{error.code}</code>}>
      <p>
        <WithCode text={visibleText(error.message)} />
      </p>
      {error.next === '' ? null : (
        <p className={styles['next']}>
          <WithCode text={visibleText(error.next)} />
        </p>
      )}
      {error.code === 'reconnect_required' && organisation !== undefined ? (
        <p className={styles['next']}>
          <Link href="/sources?show=connections">Go to the connections</Link>
        </p>
      ) : null}
      {error.code === 'tool_forbidden' ? <Checks of={story} /> : null}
    </Notice>
  );
}

/** As they are now, for who made the call; a tool that leads to several operations has none of its own. */
function Checks({ of: { tool, operation, principal } }: { readonly of: Story }) {
  const { data: session } = useSession();
  const people = usePeople();
  if (!isNamedAfter(tool, operation)) return null;
  const isOther = people.names.has(principal) && principal !== session?.principal?.id;
  const query = new URLSearchParams(filled({ show: 'access', as: isOther ? principal : undefined }));
  return (
    <p className={styles['next']}>
      <Link href={`/tools/${encodeURIComponent(tool)}?${query}`}>See every check</Link>
    </p>
  );
}
