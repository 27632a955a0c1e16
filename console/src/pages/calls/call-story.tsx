import { type ReactNode, useEffect, useRef } from 'react';
import { Link, useSearch } from 'wouter';
import { ApiError } from '../../api/api-error.ts';
import { Button } from '../../components/button.tsx';
import { calledName } from '../../components/called-name.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Facts } from '../../components/facts.tsx';
import { JsonTree } from '../../components/json/json-tree.tsx';
import { Panel } from '../../components/layout/panel.tsx';
import { Stack } from '../../components/layout/stack.tsx';
import { usePeople } from '../../components/people/use-people.ts';
import { duration } from '../../components/quantities.ts';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { ErrorNote } from '../../components/states/error-note.tsx';
import { Loading } from '../../components/states/loading.tsx';
import { Notice } from '../../components/states/notice.tsx';
import { Time } from '../../components/time/time.tsx';
import { visibleText } from '../../components/visible-text.ts';
import { callCommand } from './call-command.ts';
import { CallError } from './call-error.tsx';
import { CallStateBadge } from './call-state.tsx';
import styles from './call-story.module.css';
import { EventList } from './event-list.tsx';
import { type CallStory as Story, useCallStory } from './queries.ts';
import { StepTable } from './step-table.tsx';

interface CallStoryProps {
  readonly call: string;
  /** Focus goes to its heading: it was opened by a person, not by moving through the list. */
  readonly takesFocus: boolean;
  readonly onClose: () => void;
}

/** Everything that is known of one call. */
export function CallStory({ call, takesFocus, onClose }: CallStoryProps) {
  const { data, error, isPending, refetch } = useCallStory(call);
  const heading = useRef<HTMLHeadingElement>(null);
  const isThere = data !== undefined;
  useEffect(() => {
    if (isThere && takesFocus) heading.current?.focus({ preventScroll: true });
  }, [isThere, takesFocus]);
  return (
    <article className={styles['story']} aria-label="Call">
      <div className={styles['head']}>
        <h2 ref={heading} tabIndex={-1} className={styles['tool']}>
          {data === undefined ? 'Call' : visibleText(calledName(data.tool, data.operation))}
        </h2>
        {data === undefined ? null : <CallStateBadge state={data.state} dryRun={data.dryRun} />}
        <Button size="s" variant="quiet" onClick={onClose}>
          Close
        </Button>
      </div>
      {data === undefined ? null : <Summary story={data} />}
      {isPending ? <Loading what="the call" rows={8} /> : null}
      {error !== null && data === undefined ? (
        <Unreadable error={error} retry={() => void refetch()} />
      ) : null}
      {data === undefined ? null : <Parts story={data} />}
    </article>
  );
}

function Unreadable({ error, retry }: { readonly error: Error; readonly retry: () => void }) {
  if (error instanceof ApiError && error.status === 404) {
    return (
      <EmptyState title="There is no such call">
        <p>It may be older than events are kept, or somebody else’s.</p>
      </EmptyState>
    );
  }
  return <ErrorNote error={error} title="The call could not be read" retry={retry} />;
}

function Parts({ story }: { readonly story: Story }) {
  const { state, approval, input, edited, steps, stepsLeftOut, durationMs, events } = story;
  const command = callCommand(story, edited ?? input);
  return (
    <Stack>
      <CallError story={story} />
      {(state === 'waiting' || state === 'asked') && approval !== undefined ? (
        <Notice tone="warn" title={state === 'asked' ? 'A person was asked' : 'A person is asked'}>
          <Link href={`/approvals/${encodeURIComponent(approval)}`}>Go to the approval</Link>
        </Notice>
      ) : null}
      {edited === undefined ? null : (
        <Panel title="Arguments as carried out">
          <p className={styles['soft']}>Who approved the call changed them.</p>
          <Arguments of={edited} label="arguments as carried out" />
        </Panel>
      )}
      <Panel title={edited === undefined ? 'Arguments' : 'Arguments as called'}>
        <Arguments of={input} label="arguments" />
      </Panel>
      <Panel title="Steps" flush>
        {steps.length === 0 ? (
          <p className={styles['note']}>
            {state === 'running' || state === 'waiting'
              ? 'They are told when the call ends.'
              : 'None were recorded.'}
          </p>
        ) : (
          <StepTable steps={steps} leftOut={stepsLeftOut} durationMs={durationMs} />
        )}
      </Panel>
      <Panel title="Facts">
        <FactsOf story={story} />
      </Panel>
      <Panel title="Events" flush>
        <EventList events={events} />
      </Panel>
      <Panel title="Make it again">
        <CodeBlock text={command.text} label="command" />
        {command.isWhole ? null : (
          <p className={styles['soft']}>Some arguments are hidden or cut here: put them in first.</p>
        )}
      </Panel>
    </Stack>
  );
}

function Arguments({ of, label }: { readonly of: Story['input']; readonly label: string }) {
  if (of === undefined || Object.keys(of).length === 0) return <p className={styles['soft']}>None.</p>;
  return <JsonTree value={of} label={label} open={3} />;
}

/** When, how long and by whom, in one line. */
function Summary({ story: { startedAt, durationMs, source, access, principal } }: { readonly story: Story }) {
  const people = usePeople();
  return (
    <p className={styles['summary']}>
      <Time at={startedAt} />
      {durationMs === undefined ? null : <span>took {duration(durationMs)}</span>}
      <span>{access}</span>
      <span>{source}</span>
      <span>by {people.nameOf(principal)}</span>
    </p>
  );
}

function FactsOf({ story }: { readonly story: Story }) {
  const { operation, tool, source, access, principal, organisation, startedAt, durationMs } = story;
  const { status, summary, artifact, approval, run, trace, call } = story;
  const began = <Time at={startedAt} />;
  const { fullNameOf, organisationOf } = usePeople();
  const who = <Filtered name="principal" value={principal} text={fullNameOf(principal)} />;
  return (
    <Facts
      of={[
        ['Operation', operation === tool ? undefined : visibleText(operation)],
        ['Source', linkTo('sources', source, source)],
        ['Access', access],
        ['Caller', who],
        ['Organisation', organisation && organisationOf(organisation)],
        ['Began', began],
        ['Took', durationMs === undefined ? undefined : duration(durationMs)],
        ['Upstream status', status],
        ['Answer', summary],
        ['Full output', linkTo('artifacts', artifact, 'artifact')],
        ['Approval', linkTo('approvals', approval, 'approval')],
        ['Run', copied(run, 'the run')],
        ['Trace', copied(trace, 'the trace id')],
        ['Call', copied(call, 'the id of the call')],
      ]}
    />
  );
}

function linkTo(page: string, id: string | undefined, text: string): ReactNode | undefined {
  return id === undefined ? undefined : <Link href={`/${page}/${encodeURIComponent(id)}`}>{text}</Link>;
}

/** A value that the list can be narrowed to. */
function Filtered({ name, value, text }: Readonly<Record<'name' | 'value' | 'text', string>>) {
  const search = new URLSearchParams(useSearch());
  search.set(name, value);
  return <Link href={`/calls?${search}`}>{text}</Link>;
}

function copied(text: string | undefined, what: string): ReactNode | undefined {
  if (text === undefined) return undefined;
  return (
    <span className={styles['copied']}>
      <code>{visibleText(text)}</code>
      <CopyButton text={text} what={what} />
    </span>
  );
}
