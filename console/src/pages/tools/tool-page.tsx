import { Link, useSearchParams } from 'wouter';
import { AccessBadge } from '../../components/access-badge.tsx';
import { BackLink } from '../../components/back-link.tsx';
import { Badge } from '../../components/badge.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { Facts } from '../../components/facts.tsx';
import { PageHeader } from '../../components/layout/page-header.tsx';
import { Panel } from '../../components/layout/panel.tsx';
import { Stack } from '../../components/layout/stack.tsx';
import { Tabs } from '../../components/layout/tabs.tsx';
import { count } from '../../components/quantities.ts';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { Notice } from '../../components/states/notice.tsx';
import { QueryState } from '../../components/states/query-state.tsx';
import { CallHistory } from './call-history.tsx';
import { Explanation } from './explanation.tsx';
import { Playground } from './playground.tsx';
import { type FoundTool, useExplanation, useTool, useToolsFollow, useToolTokens } from './queries.ts';
import styles from './tools.module.css';

type Part = 'try' | 'access' | 'calls' | 'definition';

const PARTS = [
  { name: 'try', title: 'Try it' },
  { name: 'access', title: 'Access' },
  { name: 'calls', title: 'Calls' },
  { name: 'definition', title: 'Definition' },
] as const;

/** One tool: what it is, a form to call it, who may and why, what became of its calls. */
export function ToolPage({ name }: { readonly name: string }) {
  useToolsFollow();
  const tool = useTool(name);
  return (
    <>
      <BackLink href="/tools">All tools</BackLink>
      <PageHeader title={name}>
        {tool.data === null ? <p>This tool is not offered to you.</p> : null}
        {tool.data ? <Says name={name} tool={tool.data} /> : null}
      </PageHeader>
      <QueryState query={tool} what="tool" title="The tool could not be read" />
      {tool.data === null ? <NotOffered name={name} /> : null}
      {tool.data ? <Offered name={name} tool={tool.data} /> : null}
    </>
  );
}

/** What a call of it means, in a few words. */
function Says({ name, tool }: { readonly name: string; readonly tool: FoundTool }) {
  const { operation, approval, listed } = tool;
  const { title, annotations } = tool.tool;
  return (
    <>
      {title === undefined || title === name ? null : <p>{title}</p>}
      <div className={styles['badges']}>
        {operation === undefined ? (
          <Badge>the gateway’s own</Badge>
        ) : (
          <AccessBadge access={operation.access} />
        )}
        {annotations.destructiveHint && !annotations.readOnlyHint ? (
          <Badge tone="bad">destroys data</Badge>
        ) : null}
        {approval?.kind === 'asks' ? <Badge tone="info">asks a person</Badge> : null}
        {approval?.kind === 'refuses' ? <Badge tone="bad">refused</Badge> : null}
        {listed ? null : <Badge tone="warn">not in the list, reached by other tools</Badge>}
        {operation?.deprecated ? <Badge tone="warn">deprecated</Badge> : null}
      </div>
    </>
  );
}

function Offered({ name, tool }: { readonly name: string; readonly tool: FoundTool }) {
  const [query, setQuery] = useSearchParams();
  const part: Part = PARTS.find((one) => one.name === query.get('show'))?.name ?? 'try';
  return (
    <div className={styles['columns']}>
      <div className={styles['main']}>
        <Tabs
          label={`Parts of ${name}`}
          tabs={PARTS}
          chosen={part}
          onChoose={(name) => setQuery(name === 'try' ? {} : { show: name }, { replace: true })}
        >
          {part === 'try' ? <Playground name={name} tool={tool} /> : null}
          {part === 'access' ? <AccessPart name={name} approval={tool.approval} /> : null}
          {part === 'calls' ? <CallHistory name={name} /> : null}
          {part === 'definition' ? <Definition tool={tool} /> : null}
        </Tabs>
      </div>
      <aside className={styles['side']} aria-label="About this tool">
        <Stack>
          <Panel title="What it says">
            <p className={styles['description']} dir="auto">
              {tool.tool.description}
            </p>
          </Panel>
          <Panel title="Facts">
            <ToolFacts name={name} tool={tool} />
          </Panel>
        </Stack>
      </aside>
    </div>
  );
}

function ToolFacts({ name, tool }: { readonly name: string; readonly tool: FoundTool }) {
  const { operation } = tool;
  const { readOnlyHint, idempotentHint, openWorldHint } = tool.tool.annotations;
  return (
    <Facts
      of={[
        [
          'Source',
          operation && (
            <Link href={`/sources/${encodeURIComponent(operation.source)}`}>{operation.source}</Link>
          ),
        ],
        ['Operation', operation && <code>{operation.id}</code>],
        ['Request', operation?.http && <code>{`${operation.http.method} ${operation.http.path}`}</code>],
        [
          'Tags',
          operation === undefined || operation.tags.length === 0 ? undefined : operation.tags.join(', '),
        ],
        ['Tokens', <TokenCount key="tokens" name={name} tool={tool} />],
        ['Costs', operation?.cost?.usd === undefined ? undefined : `$${operation.cost.usd} a call`],
        ['Only reads', readOnlyHint ? 'yes' : 'no'],
        ['Repeatable', readOnlyHint || idempotentHint ? 'yes' : 'no'],
        ['Reaches out', openWorldHint ? 'yes' : 'no'],
      ]}
    />
  );
}

/** Said when it is counted: the first count of a gateway takes a moment. */
function TokenCount({ name, tool }: { readonly name: string; readonly tool: FoundTool }) {
  const tokens = useToolTokens(name, tool);
  if (tokens.data === undefined) return <>{tokens.isPending ? 'counting …' : 'unknown'}</>;
  return <Link href="/tokens">{count(tokens.data)}</Link>;
}

function AccessPart({ name, approval }: { readonly name: string; readonly approval: FoundTool['approval'] }) {
  return (
    <>
      {approval === undefined ? null : (
        <Notice
          tone={approval.kind === 'asks' ? 'info' : 'bad'}
          title={approval.kind === 'asks' ? 'A person must agree to each call' : 'Calls are refused'}
        >
          {approval.reason}
        </Notice>
      )}
      <Explanation name={name} />
    </>
  );
}

function Definition({ tool }: { readonly tool: FoundTool }) {
  return (
    <>
      {tool.hash === undefined ? null : (
        <p className={styles['hash']}>
          What the lock holds: <code>{tool.hash}</code>
        </p>
      )}
      <CodeBlock label="definition" text={JSON.stringify(tool.tool, undefined, 2)} />
    </>
  );
}

/** A name that stands in no list of this caller: what is told of it is why. */
function NotOffered({ name }: { readonly name: string }) {
  const explanation = useExplanation(name);
  return explanation.data === null ? (
    <EmptyState title="There is no such tool">
      <p>
        It may have been removed, or renamed. <Link href="/tools">All tools</Link>
      </p>
    </EmptyState>
  ) : (
    <Explanation name={name} />
  );
}
