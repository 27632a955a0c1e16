import { AccessBadge } from '../../components/access-badge.tsx';
import { Badge } from '../../components/badge.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { counted } from '../../components/quantities.ts';
import { Notice } from '../../components/states/notice.tsx';
import { visibleText } from '../../components/visible-text.ts';
import { WithCode } from '../../components/with-code.tsx';
import { FileDifference } from './file-difference.tsx';
import { FindingLine } from './finding-line.tsx';
import type { SourcePlan } from './queries.ts';
import { SEVERITIES } from './report-findings.tsx';
import styles from './sources.module.css';

/** Tools and findings that are named before the source is added. */
const SHOWN = 8;

/** What a check found: tools, what is missing, and what will be written. */
export function PlanResult({ plan }: { readonly plan: SourcePlan }) {
  const { environment, file, trial, yaml } = plan;
  const missing = environment.filter(({ set }) => !set);
  return (
    <>
      {trial?.error === undefined ? null : (
        <Notice tone="bad" title={visibleText(trial.error.message)}>
          <p>
            <WithCode text={trial.error.next} /> <code>{trial.error.code}</code>
          </p>
        </Notice>
      )}
      {trial === undefined || trial.error !== undefined ? null : <Found trial={trial} />}
      {environment.length === 0 ? null : (
        <p className={styles['variables']}>
          {environment.map(({ name, set }) => (
            <Badge key={name} tone={set ? 'good' : 'warn'}>
              {name} {set ? 'is set' : 'is not set'}
            </Badge>
          ))}
        </p>
      )}
      {missing.length === 0 ? null : (
        <p className={styles['soft']}>
          A variable is read from the environment that the gateway was started with: set it and start it
          again.
        </p>
      )}
      {file === undefined ? <CodeBlock text={yaml} label="the entry" /> : <FileDifference change={file} />}
    </>
  );
}

function Found({ trial }: { readonly trial: NonNullable<SourcePlan['trial']> }) {
  const { tools, operations, skipped, skippedCount, diagnostics, taken, baseUrl } = trial;
  const serious = diagnostics.filter(({ severity }) => severity !== 'info');
  return (
    <Notice tone={operations === 0 ? 'warn' : 'good'} title={counted(operations, 'tool')}>
      {baseUrl === undefined ? null : (
        <p>
          Calls go to <code>{visibleText(baseUrl)}</code>
        </p>
      )}
      <ul className={styles['found']} aria-label="Tools">
        {tools.slice(0, SHOWN).map(({ tool, access }) => (
          <li key={tool}>
            <code>{visibleText(tool)}</code> <AccessBadge access={access} />
          </li>
        ))}
      </ul>
      {operations > SHOWN ? <p>and {operations - SHOWN} more</p> : null}
      {taken.length === 0 ? null : (
        <p>
          {counted(taken.length, 'tool')} would not be published, since another source has the name already:{' '}
          {visibleText(taken.slice(0, SHOWN).join(', '))}. Give this source a prefix.
        </p>
      )}
      {skippedCount === 0 ? null : (
        <details>
          <summary>{counted(skippedCount, 'operation')} left out</summary>
          <ul className={styles['found']}>
            {skipped.slice(0, SHOWN).map(({ method, path, reason }) => (
              <li key={`${method} ${path}`}>
                <code>{visibleText(`${method} ${path}`)}</code> {visibleText(reason)}
              </li>
            ))}
          </ul>
        </details>
      )}
      {serious.length === 0 ? null : (
        <ul className={styles['findings']} aria-label="Findings">
          {serious.slice(0, SHOWN).map((finding, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: findings have no id, and the list is drawn as it came
            <li key={index} className={styles['foundFinding']}>
              <Badge tone={SEVERITIES[finding.severity].tone}>{SEVERITIES[finding.severity].word}</Badge>
              <FindingLine finding={finding} />
            </li>
          ))}
        </ul>
      )}
    </Notice>
  );
}
