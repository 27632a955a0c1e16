import { Link } from 'wouter';
import { useSession } from '../../api/session.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { accountOf, CONNECTION_WORDS } from '../../components/connection-words.ts';
import { Facts } from '../../components/facts.tsx';
import { Panel } from '../../components/layout/panel.tsx';
import { Stack } from '../../components/layout/stack.tsx';
import { counted, duration } from '../../components/quantities.ts';
import { Notice } from '../../components/states/notice.tsx';
import { Time } from '../../components/time/time.tsx';
import { visibleText } from '../../components/visible-text.ts';
import { WithCode } from '../../components/with-code.tsx';
import { AzureConnections } from './azure-connections.tsx';
import { HealthBadge } from './health-badge.tsx';
import type { ShownReport, ShownSource } from './queries.ts';
import { healthOf, kindWord, lacksTitle } from './source-words.ts';

/** How a source is, and what the configuration says of it. */
export function SourceOverview({ report }: { readonly report: ShownReport }) {
  const { source, baseUrl, entry } = report;
  const account = accountOf(source, useSession().data);
  return (
    <Stack>
      <Fault source={source} />
      <Lacks source={source} />
      <Panel>
        <Facts
          of={[
            ['Health', <HealthLine key="health" source={source} />],
            ['Kind', source.provider?.displayName ?? kindWord(source.kind)],
            ['Read from', source.place && <code>{visibleText(source.place)}</code>],
            ['Calls go to', baseUrl && <code>{visibleText(baseUrl)}</code>],
            [
              'Tools',
              <Link key="tools" href={`/tools?source=${encodeURIComponent(source.name)}`}>
                {counted(source.tools ?? source.operations, 'tool')}
              </Link>,
            ],
            ['Changed', source.drift && driftLine(source.drift)],
            ['Last read', source.readAt && <ReadLine source={source} />],
            ['Last attempt', source.error && source.triedAt && <Time at={source.triedAt} />],
            ['Process', source.upstream && processLine(source.upstream)],
            ['Account', source.lacks === undefined ? account && CONNECTION_WORDS[account] : undefined],
            ['Kept', source.origin && ORIGINS[source.origin]],
          ]}
        />
      </Panel>
      {source.kind === 'azure' ? <AzureConnections report={report} /> : null}
      {entry === undefined ? null : (
        <Panel title="In the configuration file">
          <CodeBlock text={entry.yaml} label="configuration" />
        </Panel>
      )}
    </Stack>
  );
}

const ORIGINS = {
  file: 'in the configuration file',
  run: 'for this run only: it goes when the gateway stops',
  start: 'as the gateway was started',
} as const;

function HealthLine({ source }: { readonly source: ShownSource }) {
  return (
    <>
      <HealthBadge source={source} /> {healthOf(source).meaning}
    </>
  );
}

function ReadLine({ source: { readAt, durationMs, error } }: { readonly source: ShownSource }) {
  return (
    <>
      <Time at={readAt!} />
      {durationMs === undefined || error !== undefined ? null : `, in ${duration(durationMs)}`}
    </>
  );
}

function driftLine({ waiting, rejected }: NonNullable<ShownSource['drift']>): string | undefined {
  const parts = [
    waiting === 0 ? '' : `${counted(waiting, 'definition')} to look at`,
    rejected === 0 ? '' : `${counted(rejected, 'change')} rejected`,
  ].filter(Boolean);
  return parts.length === 0 ? undefined : parts.join(', ');
}

function processLine({ status, restarts, pid, lastError, retryInMs }: NonNullable<ShownSource['upstream']>) {
  const parts = [
    status,
    pid === undefined ? '' : `process ${pid}`,
    restarts === 0 ? '' : counted(restarts, 'restart'),
    retryInMs === undefined ? '' : `next attempt in ${duration(retryInMs)}`,
    lastError === undefined ? '' : visibleText(lastError),
  ];
  return parts.filter(Boolean).join(' · ');
}

function Lacks({ source: { lacks, operations } }: { readonly source: ShownSource }) {
  if (lacks === undefined) return null;
  return (
    <Notice tone="warn" title={lacksTitle(lacks, operations)}>
      <p>{visibleText(lacks.message)}</p>
      <p>
        <WithCode text={lacks.next} />
      </p>
    </Notice>
  );
}

function Fault({ source: { name, error, health } }: { readonly source: ShownSource }) {
  if (error === undefined) return null;
  const { code, message, next, pointer, location } = error;
  return (
    <Notice tone={health === 'stale' ? 'warn' : 'bad'} title={visibleText(message)}>
      <p>
        <WithCode text={next} />
      </p>
      {code === 'authorization_required' ? (
        <CodeBlock text={`toolcrib upstream login ${name}`} label="the command" />
      ) : null}
      <p>
        <code>{code}</code>
        {location === undefined ? null : (
          <>
            {' in '}
            <code>{visibleText(location)}</code>
          </>
        )}
        {pointer === undefined ? null : (
          <>
            {' at '}
            <code>{visibleText(pointer)}</code>
          </>
        )}
      </p>
    </Notice>
  );
}
