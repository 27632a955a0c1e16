import { useSession } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { PageHeader } from '../../components/layout/page-header.tsx';
import { Stack } from '../../components/layout/stack.tsx';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { Notice } from '../../components/states/notice.tsx';
import { QueryState } from '../../components/states/query-state.tsx';
import { Time } from '../../components/time/time.tsx';
import { FindingList } from './finding-list.tsx';
import { asText, orderedFindings, troubleIn } from './finding-order.ts';
import { type Examination, useExamination } from './queries.ts';

/** Everything that a call needs, looked at when the page opens and whenever somebody asks again. */
export default function DoctorPage() {
  const operator = useSession().data?.can.operate;
  const examination = useExamination(operator === true);
  const { data, isFetching, refetch } = examination;
  return (
    <>
      <PageHeader
        title="Doctor"
        actions={
          <>
            {data === undefined ? null : <CopyButton text={asText(data.findings)} what="all findings" />}
            {operator === false ? null : (
              <Button
                variant="primary"
                aria-disabled={isFetching}
                onClick={() => isFetching || void refetch()}
              >
                {isFetching ? 'Looking …' : 'Look again'}
              </Button>
            )}
          </>
        }
      >
        What a call needs, from this machine to the services behind the tools, and how to mend what is wrong.
        Nothing is changed, and no credential is sent.
      </PageHeader>
      {operator === false ? (
        <Notice title="The examination is the operator’s">
          Sign in with the token of the server, or as the owner of the machine, to see it.
        </Notice>
      ) : (
        <QueryState query={examination} what="findings" rows={8} title="The examination could not be made" />
      )}
      {data === undefined ? null : <Findings {...data} />}
    </>
  );
}

function Findings({ findings, ok, time }: Examination) {
  const trouble = troubleIn(findings);
  if (findings.length === 0) return <EmptyState title="There was nothing to look at" />;
  return (
    <>
      {/* beside the notice, whose time goes on and would be said again and again */}
      <p role="status" className="visually-hidden">
        {trouble ?? 'Everything is in order'}
      </p>
      <Notice
        tone={trouble === undefined ? 'good' : ok ? 'warn' : 'bad'}
        title={trouble ?? 'Everything is in order'}
      >
        Looked at {findings.length} things <Time at={time} />.
      </Notice>
      <Stack>
        {orderedFindings(findings).map((list) => (
          <FindingList key={list.group} {...list} />
        ))}
      </Stack>
    </>
  );
}
