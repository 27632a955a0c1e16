import { Link } from 'wouter';
import { useSession } from '../../api/session.ts';
import { Notice } from '../../components/states/notice.tsx';
import { visibleText } from '../../components/visible-text.ts';
import { useConnectableSources } from './connection-queries.ts';

/** Sources of which nothing is offered until an account is connected: the list, of what one may use, has none of them. */
export function Unconnected() {
  const { data: sources = [] } = useConnectableSources();
  const isMember = useSession().data?.principal?.organisation !== undefined;
  const names = sources
    .filter(({ connection, level }) => connection === 'missing' && level === 'none')
    .map(({ name }) => visibleText(name));
  if (!isMember || names.length === 0) return null;
  const title =
    names.length === 1
      ? `${names[0]} is not connected`
      : `${names.length} more sources are not connected: ${names.join(', ')}`;
  return (
    <Notice title={title}>
      <p>
        {names.length === 1 ? 'Its' : 'Their'} tools are offered once an account is there:{' '}
        <Link href="/sources?show=connections">connect one</Link>.
      </p>
    </Notice>
  );
}
