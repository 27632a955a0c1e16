import { Link } from 'wouter';
import { useSession } from '../../api/session.ts';
import { Notice } from '../../components/states/notice.tsx';
import { visibleText } from '../../components/visible-text.ts';
import { useOwnSources } from './connection-queries.ts';

/** Sources of which nothing is offered until an account is connected: the list, of what one may use, has none of them. */
export function Unconnected() {
  const { data: sources = [] } = useOwnSources();
  const isMember = useSession().data?.principal?.organisation !== undefined;
  const waiting = sources.filter(({ connection, level }) => connection === 'missing' && level === 'none');
  if (!isMember || waiting.length === 0) return null;
  const names = waiting.map(({ name }) => visibleText(name));
  const title =
    names.length === 1
      ? `${names[0]} is not connected`
      : `${names.length} more sources are not connected: ${names.join(', ')}`;
  return (
    <Notice title={title}>
      <p>
        {names.length === 1 ? 'Its' : 'Their'} tools are offered once an account is there
        {waiting.some(({ integration }) => integration !== undefined) ? (
          <>
            : <Link href="/sources?show=connections">connect one</Link>.
          </>
        ) : (
          '; the operator of the gateway records it.'
        )}
      </p>
    </Notice>
  );
}
