import { Link } from 'wouter';
import { AccessBadge } from '../../components/access-badge.tsx';
import { Facts } from '../../components/facts.tsx';
import { usePeople } from '../../components/people/use-people.ts';
import { Time } from '../../components/time/time.tsx';
import { visibleText } from '../../components/visible-text.ts';
import { isProxied } from './proxied.ts';
import type { ShownApproval } from './queries.ts';

/** Rows of a card that are drawn otherwise here. */
const DRAWN: ReadonlySet<string> = new Set(['operation', 'access', 'caller', 'expires']);

/** Who asks for what, with the ways to what they did before and to what the tool does, and what a skill behind it may do. */
export function ApprovalFacts({ approval }: { readonly approval: ShownApproval }) {
  const { principal, organisation, tool, source, operation, access, createdAt, call, usedBy } = approval;
  const { fullNameOf, organisationOf } = usePeople();
  return (
    <Facts
      of={[
        [
          'Caller',
          <Link key="caller" href={`/calls?principal=${encodeURIComponent(principal)}`}>
            {fullNameOf(principal)}
          </Link>,
        ],
        ['Organisation', organisation && organisationOf(organisation)],
        [
          'Tool',
          isProxied(approval) ? (
            <code key="tool">{visibleText(tool)}</code>
          ) : (
            <Link key="tool" href={`/tools/${encodeURIComponent(tool)}`}>
              <code>{visibleText(tool)}</code>
            </Link>
          ),
        ],
        ['Operation', visibleText(`${source} / ${operation}`)],
        ['Access', <AccessBadge key="access" access={access} />],
        ['Asked', <Time key="asked" at={createdAt} />],
        ['Call', linkTo(call)],
        // whoever waited for the decision was carried out by the same call
        ['Carried out by', usedBy === undefined || usedBy === call ? undefined : linkTo(usedBy)],
        ...skillRows(approval).map(({ key, value }) => [titled(key), value] as const),
      ]}
    />
  );
}

function linkTo(call: string) {
  return (
    <Link key={call} href={`/calls/${encodeURIComponent(call)}`}>
      {call}
    </Link>
  );
}

/** What the card says beside the arguments and the above: the skill, its version, tools and powers. */
function skillRows({ card, preview, skill }: ShownApproval): ShownApproval['card']['metadata'] {
  if (skill === undefined) return [];
  return card.metadata.filter(
    ({ key }) =>
      !DRAWN.has(key) && key !== '…' && !key.startsWith('argument "') && !Object.hasOwn(preview, key),
  );
}

function titled(key: string): string {
  return key.charAt(0).toUpperCase() + key.slice(1);
}
