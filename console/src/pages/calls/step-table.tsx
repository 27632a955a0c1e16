import { type CSSProperties, useState } from 'react';
import { Link } from 'wouter';
import type { CallStep, StepOutcome } from '../../../../gateway/src/operations/index.ts';
import { Button } from '../../components/button.tsx';
import { counted, duration } from '../../components/quantities.ts';
import { say } from '../../components/states/said.tsx';
import { visibleText } from '../../components/visible-text.ts';
import styles from './step-table.module.css';
import { detailOf, nameOf, ownOf, type ShownStep, waterfall } from './steps.ts';

interface StepTableProps {
  readonly steps: readonly CallStep[];
  readonly leftOut?: number | undefined;
  readonly durationMs?: number | undefined;
}

const SIGNS: Readonly<Record<StepOutcome, readonly [sign: string, word: string]>> = {
  passed: ['→', 'let it through'],
  answered: ['✓', 'answered'],
  refused: ['✕', 'refused'],
  failed: ['✕', 'failed'],
};

/** What the gateway did for a call, step by step, each with a bar on one time axis. */
export function StepTable({ steps, leftOut, durationMs }: StepTableProps) {
  const [whole, setWhole] = useState(false);
  const { shown, quiet, total } = waterfall(steps, durationMs, whole);
  return (
    <>
      <table className={styles['table']}>
        <caption className="visually-hidden">Steps of the call, {duration(total)} in all</caption>
        <thead>
          <tr>
            <th scope="col">Step</th>
            <th
              scope="col"
              className={styles['number']}
              title="Without the steps below it that are parts of it"
            >
              Itself
            </th>
            <th scope="col" className={styles['axis']}>
              <span aria-hidden="true" className={styles['ends']}>
                <span>0</span>
                <span>{duration(total)}</span>
              </span>
              <span className="visually-hidden">Begins after</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((one) => (
            <Step key={one.index} of={one} />
          ))}
        </tbody>
      </table>
      {quiet.count === 0 ? null : (
        <div className={styles['rest']}>
          <span>
            {whole ? 'Of these, ' : ''}
            {counted(quiet.count, 'layer')} only let the call through, in {duration(quiet.milliseconds)}.
          </span>
          <Button
            size="s"
            variant="quiet"
            onClick={() => {
              say(whole ? 'What took time is shown' : 'Every layer is shown');
              setWhole(!whole);
            }}
          >
            {whole ? 'Show what took time' : 'Show every layer'}
          </Button>
        </div>
      )}
      {leftOut === undefined ? null : (
        <p className={styles['rest']}>{leftOut} steps in the middle of the story were left out.</p>
      )}
    </>
  );
}

function Step({ of: { step, level, left, width } }: { readonly of: ShownStep }) {
  const [sign, word] = SIGNS[step.outcome];
  const detail = detailOf(step);
  const approval = step.detail?.['approval'];
  return (
    <tr data-outcome={step.outcome}>
      <th scope="row">
        <span className={styles['name']} style={{ '--level': level } as CSSProperties}>
          <span className={styles['sign']} title={word} aria-hidden="true">
            {sign}
          </span>
          <span>
            {visibleText(nameOf(step))}
            <span className="visually-hidden">: {word}</span>
            {detail === '' ? null : <span className={styles['detail']}>{visibleText(detail)}</span>}
            {approval === undefined ? null : (
              <Link className={styles['detail']} href={`/approvals/${encodeURIComponent(approval)}`}>
                approval
              </Link>
            )}
          </span>
        </span>
      </th>
      <td className={styles['number']}>{duration(ownOf(step))}</td>
      <td className={styles['axis']}>
        <span className="visually-hidden">
          {duration(step.startMs)}, {duration(step.durationMs)} in all
        </span>
        <span className={styles['track']} title={`${duration(step.durationMs)} in all`} aria-hidden="true">
          <span
            className={styles['bar']}
            data-parts={step.ownMs !== undefined}
            style={{ insetInlineStart: `${left}%`, inlineSize: `${width}%` }}
          />
        </span>
      </td>
    </tr>
  );
}
