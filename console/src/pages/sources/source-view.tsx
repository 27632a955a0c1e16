import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { ApiError } from '../../api/api-error.ts';
import { useSession } from '../../api/session.ts';
import { BackLink } from '../../components/back-link.tsx';
import { Button } from '../../components/button.tsx';
import { PageHeader } from '../../components/layout/page-header.tsx';
import { Tabs } from '../../components/layout/tabs.tsx';
import { count } from '../../components/quantities.ts';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { QueryState } from '../../components/states/query-state.tsx';
import { ChangeSource } from './change-source.tsx';
import { DriftList } from './drift-list.tsx';
import { type ShownReport, useRefresh, useSource } from './queries.ts';
import { RemoveSource } from './remove-source.tsx';
import { ReportFindings } from './report-findings.tsx';
import { ReportSkipped } from './report-skipped.tsx';
import { ReportTools } from './report-tools.tsx';
import { SourceOverview } from './source-overview.tsx';

/** One source: how it is, what was compiled of it, what was not, and what has changed. */
export function SourceView({ name }: { readonly name: string }) {
  const source = useSource(name);
  const { data, error } = source;
  const isGone = error instanceof ApiError && error.code === 'source_unknown';
  return (
    <>
      <BackLink href="/sources">All sources</BackLink>
      <PageHeader
        title={name}
        actions={data === undefined ? undefined : <Actions report={data} isGone={isGone} />}
      />
      {isGone ? (
        <EmptyState title="There is no such source">
          <p>
            It may have been removed, or renamed. <Link href="/sources">All sources</Link>
          </p>
        </EmptyState>
      ) : (
        <QueryState query={source} what={`source ${name}`} title="The source could not be read" />
      )}
      {data === undefined || isGone ? null : <Report report={data} />}
    </>
  );
}

interface ActionsProps {
  readonly report: ShownReport;
  /** It was taken out since. */
  readonly isGone: boolean;
}

function Actions({ report, isGone }: ActionsProps) {
  const { source, entry } = report;
  const can = useSession().data?.can;
  const refresh = useRefresh();
  const [open, setOpen] = useState<'change' | 'remove'>();
  const operates = can?.operate === true && source.health !== 'paused' && !isGone;
  const owns = operates && can.own;
  // what is open stays for whoever may no more: what is written there is not lost
  return (
    <>
      {operates ? (
        <Button waits={refresh.isPending} onClick={() => refresh.mutate(source.name)}>
          {refresh.isPending ? 'Reading…' : 'Read again'}
        </Button>
      ) : null}
      {owns && entry !== undefined ? <Button onClick={() => setOpen('change')}>Change</Button> : null}
      {owns && source.kind !== 'function' ? (
        <Button variant="danger" onClick={() => setOpen('remove')}>
          Remove
        </Button>
      ) : null}
      {open === 'change' && entry !== undefined ? (
        <ChangeSource entry={entry} onClose={() => setOpen(undefined)} />
      ) : null}
      {open === 'remove' ? <RemoveSource source={source} onClose={() => setOpen(undefined)} /> : null}
    </>
  );
}

const PARTS = ['overview', 'tools', 'skipped', 'findings', 'drift'] as const;
type Part = (typeof PARTS)[number];

function Report({ report }: { readonly report: ShownReport }) {
  const [query, setQuery] = useSearchParams();
  const { compiled, skipped, diagnostics, drift, source } = report;
  // a user of a team is told how it is, and nothing else
  if (compiled === undefined) return <SourceOverview report={report} />;
  const asked = query.get('show');
  const part = PARTS.find((one) => one === asked) ?? 'overview';
  return (
    <Tabs<Part>
      label={`Source ${source.name}`}
      chosen={part}
      onChoose={(name) => setQuery(name === 'overview' ? {} : { show: name }, { replace: true })}
      tabs={[
        { name: 'overview', title: 'Overview' },
        { name: 'tools', title: titled('Tools', source.operations) },
        { name: 'skipped', title: titled('Left out', source.skipped) },
        { name: 'findings', title: titled('Findings', diagnostics?.length) },
        { name: 'drift', title: titled('Changes', drift?.length) },
      ]}
    >
      {part === 'overview' ? <SourceOverview report={report} /> : null}
      {part === 'tools' ? <ReportTools tools={compiled} total={source.operations} /> : null}
      {part === 'skipped' ? <ReportSkipped skipped={skipped ?? []} total={source.skipped ?? 0} /> : null}
      {part === 'findings' ? <ReportFindings findings={diagnostics ?? []} /> : null}
      {part === 'drift' ? <DriftList changes={drift ?? []} /> : null}
    </Tabs>
  );
}

function titled(word: string, number: number | undefined): string {
  return number === undefined || number === 0 ? word : `${word} (${count(number)})`;
}
