import { useRef, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { useLeaveWarning } from '../../components/forms/use-leave-warning.ts';
import type { JsonObject } from '../../components/json/json-values.ts';
import { Panel } from '../../components/layout/panel.tsx';
import { visibleText } from '../../components/visible-text.ts';
import { MemberLabel } from './form/editor-props.ts';
import { objectOf } from './form/schema.ts';
import { SchemaForm } from './form/schema-form.tsx';
import type { KeptAnswers } from './kept-answers.ts';
import { answerProblems, drawnSchema, startAnswer, titleOf } from './question-form.ts';
import type { Answers, CallAsks, Question, QuestionAnswer } from './tool-types.ts';
import styles from './tools.module.css';

interface QuestionsProps {
  readonly asked: CallAsks;
  /** What was answered before the page was left. */
  readonly kept: KeptAnswers | undefined;
  /** The answers are on their way. */
  readonly busy: boolean;
  readonly onKeep: (answers: KeptAnswers) => void;
  readonly onAnswer: (responses: Answers['inputResponses']) => void;
}

/** What a tool asks before it goes on, one question after the other; the answers go together. */
export function Questions({ asked, kept, busy, onKeep, onAnswer }: QuestionsProps) {
  // a state beside what is kept: secrets of the questions before are in it
  const [given, setGiven] = useState(kept?.given ?? {});
  const [written, setWritten] = useState(kept?.written ?? {});
  useLeaveWarning(!busy && (Object.keys(given).length > 0 || Object.keys(written).length > 0));
  const keys = Object.keys(asked.inputRequests);
  const key = keys.find((one) => !Object.hasOwn(given, one)) ?? keys.at(-1);
  if (key === undefined) return <NothingAsked busy={busy} onGoOn={() => onAnswer({})} />;
  const answer = (response: QuestionAnswer) => {
    const all = Object.fromEntries([...Object.entries(given), [key, response]]);
    setGiven(all);
    onKeep({ given: all, written });
    if (keys.every((one) => Object.hasOwn(all, one))) onAnswer(all);
  };
  const place = keys.length === 1 ? '' : ` (${keys.indexOf(key) + 1} of ${keys.length})`;
  return (
    <Panel title={`The tool asks you${place}`}>
      <OneQuestion
        key={key}
        question={asked.inputRequests[key]!}
        written={written[key]}
        busy={busy}
        onWrite={(content) => {
          const all = Object.fromEntries([...Object.entries(written), [key, content]]);
          setWritten(all);
          onKeep({ given, written: all });
        }}
        onAnswer={answer}
      />
    </Panel>
  );
}

interface OneQuestionProps {
  readonly question: Question;
  readonly written: JsonObject | undefined;
  readonly busy: boolean;
  readonly onWrite: (content: JsonObject) => void;
  readonly onAnswer: (answer: QuestionAnswer) => void;
}

function OneQuestion({ question: { params = {} }, ...rest }: OneQuestionProps) {
  const { mode, message, url, requestedSchema } = params;
  const said = typeof message === 'string' ? visibleText(message) : '';
  if (mode === 'url' && typeof url === 'string')
    return <PageQuestion said={said} url={url} busy={rest.busy} onAnswer={rest.onAnswer} />;
  return <FormQuestion said={said} requested={requestedSchema} {...rest} />;
}

type PartProps = Omit<OneQuestionProps, 'question'> & { readonly said: string };

/** A form for the answer; a question without fields is agreed to. */
function FormQuestion({
  said,
  requested,
  written,
  busy,
  onWrite,
  onAnswer,
}: PartProps & { readonly requested: unknown }) {
  const [schema] = useState(() => drawnSchema(requested));
  const [content, setContent] = useState<JsonObject>(() => written ?? startAnswer(schema));
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map());
  const form = useRef<HTMLFormElement>(null);
  const hasFields = Object.keys(objectOf(schema['properties'])).length > 0;
  const write = (next: JsonObject) => {
    setContent(next);
    onWrite(next);
  };
  const send = () => {
    const wrong = answerProblems(schema, content);
    setProblems(wrong);
    const faulty = form.current?.querySelector<HTMLElement>('[data-fault] [aria-invalid=true]');
    if (faulty) return faulty.focus();
    if (wrong.size === 0) return onAnswer({ action: 'accept', content });
    const [pointer] = wrong.keys();
    form.current
      ?.querySelector<HTMLElement>(`[data-pointer="${CSS.escape(pointer!)}"] :is(input, select, textarea)`)
      ?.focus();
  };
  return (
    <form
      ref={form}
      noValidate
      aria-label="Question"
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) send();
      }}
    >
      <p className={styles['said']} dir="auto">
        {said}
      </p>
      {hasFields ? (
        <MemberLabel value={titleOf}>
          <SchemaForm schema={schema} value={content} problems={problems} onChange={write} />
        </MemberLabel>
      ) : null}
      <div className={styles['actions']}>
        <Button type="submit" variant="primary" waits={busy}>
          {busy ? 'Sending …' : hasFields ? 'Answer' : 'Agree'}
        </Button>
        <Refusals busy={busy} onAnswer={onAnswer} />
      </div>
    </form>
  );
}

/** A page that the tool wants opened: its whole address is seen before. Agreeing says no more than that it was opened. */
function PageQuestion({
  said,
  url,
  busy,
  onAnswer,
}: RefusalsProps & { readonly said: string; readonly url: string }) {
  const address = URL.parse(url);
  const opens = address !== null && /^https?:$/.test(address.protocol);
  return (
    <>
      <p className={styles['said']} dir="auto">
        {said}
      </p>
      {opens ? (
        <p className={styles['said']}>
          It wants you to open a page of <strong>{address.host}</strong>:
        </p>
      ) : (
        <p>It wants you to open an address that is none of the web; it is not opened from here.</p>
      )}
      <CodeBlock label="address" text={visibleText(address?.href ?? url)} />
      <div className={styles['actions']}>
        {opens ? (
          <Button
            variant="primary"
            waits={busy}
            onClick={() => {
              window.open(address.href, '_blank', 'noopener,noreferrer');
              onAnswer({ action: 'accept' });
            }}
          >
            {busy ? 'Sending …' : 'Open the page'}
          </Button>
        ) : null}
        <Refusals busy={busy} onAnswer={onAnswer} />
      </div>
    </>
  );
}

type RefusalsProps = Pick<OneQuestionProps, 'busy' | 'onAnswer'>;

function Refusals({ busy, onAnswer }: RefusalsProps) {
  return (
    <>
      <Button waits={busy} onClick={() => onAnswer({ action: 'decline' })}>
        Decline
      </Button>
      <Button variant="quiet" waits={busy} onClick={() => onAnswer({ action: 'cancel' })}>
        Leave unanswered
      </Button>
    </>
  );
}

/** A tool that only wants to be called again. */
function NothingAsked({ busy, onGoOn }: { readonly busy: boolean; readonly onGoOn: () => void }) {
  return (
    <Panel title="The tool has not ended">
      <p>It asks to be called again.</p>
      <div className={styles['actions']}>
        <Button variant="primary" waits={busy} onClick={onGoOn}>
          {busy ? 'Calling …' : 'Go on'}
        </Button>
      </div>
    </Panel>
  );
}
