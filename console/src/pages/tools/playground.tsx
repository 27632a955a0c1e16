import { useEffect, useRef, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Confirm } from '../../components/dialogs/confirm.tsx';
import { isObject, type JsonObject } from '../../components/json/json-values.ts';
import { Panel } from '../../components/layout/panel.tsx';
import { JsonArguments } from './form/json-arguments.tsx';
import type { Schema } from './form/schema.ts';
import { SchemaForm } from './form/schema-form.tsx';
import { startArguments } from './form/start-arguments.ts';
import { Outcome } from './outcome.tsx';
import { problemsOf } from './problems.ts';
import type { FoundTool } from './queries.ts';
import styles from './tools.module.css';
import { usePlayground, useWriting } from './use-playground.ts';

/** A form for the arguments, what would be sent, and the call itself. */
export function Playground({ name, tool }: { readonly name: string; readonly tool: FoundTool }) {
  const schema = tool.tool.inputSchema as Schema;
  const [writing, write] = useWriting(name, () => startArguments(schema));
  const { args, asJson, draft } = writing;
  const isFaulty = asJson && draft !== undefined;
  const [sure, setSure] = useState(false);
  /** How often all fields were filled anew: what is half typed in one goes with it. */
  const [fills, setFills] = useState(0);
  const play = usePlayground(name, tool.topology);
  const { destructiveHint, readOnlyHint } = tool.tool.annotations;
  const destroys = destructiveHint && !readOnlyHint;
  const change = (next: JsonObject) => {
    write({ args: next, asJson });
    play.edited();
  };
  const fill = (next: JsonObject) => {
    setFills(fills + 1);
    change(next);
  };
  const busy = play.busy !== undefined;
  const form = useRef<HTMLFormElement>(null);
  /** Unless a field says that what stands there cannot be sent. */
  const ifSendable = (send: () => void) => {
    const wrong = form.current?.querySelector<HTMLElement>('[data-fault] [aria-invalid=true]');
    if (wrong) wrong.focus();
    else send();
  };
  const told = useRef(play.problem);
  useEffect(() => {
    if (play.problem === told.current) return;
    told.current = play.problem;
    if (play.problem !== undefined) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [play.problem]);
  const isAsked = play.state.kind === 'asks';
  return (
    <div className={styles['playground']}>
      <form
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (isFaulty || busy || isAsked) return;
          ifSendable(() => (destroys ? setSure(true) : play.call(args)));
        }}
      >
        <Panel
          title="Arguments"
          actions={
            <>
              <Button
                size="s"
                aria-label="Fill in the example"
                onClick={() => {
                  const { arguments: example } = tool.example;
                  fill(isObject(example) ? example : {});
                }}
              >
                Example
              </Button>
              <Button size="s" variant="quiet" onClick={() => fill(startArguments(schema))}>
                Clear
              </Button>
              <Button
                size="s"
                variant="quiet"
                aria-label="As JSON"
                aria-pressed={asJson}
                onClick={() => write({ ...writing, asJson: !asJson })}
              >
                JSON
              </Button>
            </>
          }
        >
          {asJson ? (
            <JsonArguments
              value={args}
              draft={draft}
              onDraft={(text) => write({ ...writing, draft: text })}
              onChange={change}
            />
          ) : (
            <SchemaForm
              key={fills}
              schema={schema}
              value={args}
              problems={problemsOf(play.problem)}
              onChange={change}
            />
          )}
          <div className={styles['actions']}>
            <Button
              type="submit"
              variant={destroys ? 'danger' : 'primary'}
              waits={busy || isFaulty || isAsked}
            >
              {play.busy === 'call' ? 'Calling …' : destroys ? 'Call: destroys data' : 'Call'}
            </Button>
            <Button waits={busy || isFaulty || isAsked} onClick={() => ifSendable(() => play.dryRun(args))}>
              {play.busy === 'dry' ? 'Building …' : 'Dry run'}
            </Button>
            <span className={styles['hint']}>
              {isAsked ? 'It waits for your answer below.' : 'A dry run shows the request and sends nothing.'}
            </span>
          </div>
        </Panel>
        {sure ? (
          <Confirm
            title={`Call ${name}?`}
            action="Call it"
            onClose={() => setSure(false)}
            onConfirm={() => {
              setSure(false);
              play.call(args);
            }}
          >
            <p>It says of itself that it destroys data. What it does cannot be taken back here.</p>
          </Confirm>
        ) : null}
      </form>
      <Outcome name={name} play={play} reason={tool.approval?.reason} />
    </div>
  );
}
