import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { Button } from '../../components/button.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { JsonTree } from '../../components/json/json-tree.tsx';
import { Panel } from '../../components/layout/panel.tsx';
import { ErrorNote, unmade } from '../../components/states/error-note.tsx';
import { Notice } from '../../components/states/notice.tsx';
import { CallResult } from './call-result.tsx';
import { Questions } from './questions.tsx';
import { StoryLink } from './story-link.tsx';
import type { CallAnswer } from './tool-types.ts';
import styles from './tools.module.css';
import type { Play } from './use-playground.ts';
import { curlText, messageText, wireRequestOf } from './wire-request.ts';

interface OutcomeProps {
  readonly name: string;
  readonly play: Play;
  /** Why calls of this tool ask, where that is known. */
  readonly reason: string | undefined;
}

/** What came of the last call or dry run; said to screen readers when it comes. */
export function Outcome(props: OutcomeProps) {
  const { play } = props;
  const section = useRef<HTMLElement>(null);
  const { kind } = play.state;
  const shown = useRef(kind);
  useEffect(() => {
    if (kind === shown.current) return;
    shown.current = kind;
    // what fails at a field leads there instead
    if (kind !== 'idle' && play.problem === undefined) section.current?.scrollIntoView({ block: 'nearest' });
  }, [kind, play.problem]);
  // what was answered went with its button: whoever had the hand there goes on at what came instead
  const within = useRef(false);
  useEffect(() => {
    if (!within.current || document.activeElement !== document.body) return;
    section.current?.querySelector<HTMLElement>('h2[tabindex]')?.focus();
  });
  return (
    <section
      ref={section}
      onFocus={() => {
        within.current = true;
      }}
      onBlur={({ relatedTarget }) => {
        if (relatedTarget !== null) within.current = false;
      }}
      aria-label="Outcome"
      aria-live="polite"
      aria-busy={play.busy !== undefined}
      className={styles['outcome']}
    >
      <OutcomeOf {...props} />
    </section>
  );
}

function OutcomeOf({ name, play, reason }: OutcomeProps) {
  const { state } = play;
  switch (state.kind) {
    case 'idle':
      return null;
    case 'dry':
      return <DryRun answer={state.answer} />;
    case 'done':
      return <CallResult key={state.trace} name={name} answer={state.answer} trace={state.trace} />;
    case 'failed':
      return (
        <>
          <ErrorNote error={state.error} title={unmade(state.error, 'The call failed')} />
          <p className={styles['story']}>
            <StoryLink name={name} trace={state.trace} />
          </p>
        </>
      );
    case 'asks':
      return (
        <>
          {state.unsent === undefined ? null : (
            <ErrorNote error={state.unsent} title="Whether your answer arrived is not known" />
          )}
          <Questions
            key={`${state.trace} ${state.round}`}
            asked={state.asked}
            kept={state.kept}
            busy={play.busy !== undefined}
            onKeep={play.keep}
            onAnswer={play.answer}
          />
        </>
      );
    case 'waiting':
      return (
        <Notice tone="warn" title="A person must agree to this call">
          <p>
            {reason ?? state.reason} The call goes on here by itself once somebody has decided
            {state.until === undefined ? '' : `, until ${new Date(state.until).toLocaleTimeString()}`}.
          </p>
          <p className={styles['tools']}>
            <Link href={`/approvals/${encodeURIComponent(state.approval)}`}>To its card</Link>
            <Button size="s" variant="quiet" onClick={play.stopWaiting}>
              Stop waiting
            </Button>
          </p>
        </Notice>
      );
  }
}

function DryRun({ answer }: { readonly answer: CallAnswer }) {
  const request = wireRequestOf(answer.structured);
  return (
    <Panel title="Nothing was sent">
      {(answer.warnings ?? []).map((warning) => (
        <Notice key={warning} tone="info" title={warning} />
      ))}
      {request === undefined ? (
        <JsonTree value={answer.structured ?? answer.content} label="request" open={3} />
      ) : (
        <div className={styles['blocks']}>
          <CodeBlock label="request" text={messageText(request)} />
          <CodeBlock label="curl command" text={curlText(request)} />
        </div>
      )}
    </Panel>
  );
}
