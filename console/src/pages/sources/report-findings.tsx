import { useState } from 'react';
import type { Diagnostic } from '../../../../gateway/src/operations/index.ts';
import { Badge } from '../../components/badge.tsx';
import { Field } from '../../components/forms/field.tsx';
import { Panel } from '../../components/layout/panel.tsx';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { FilteredRows } from '../../components/tables/filtered-rows.tsx';
import { FindingLine } from './finding-line.tsx';
import styles from './sources.module.css';

type Severity = Diagnostic['severity'];

export const SEVERITIES = {
  error: { tone: 'bad', word: 'error' },
  warning: { tone: 'warn', word: 'warning' },
  info: { tone: 'info', word: 'note' },
} as const;

/** What the compiler and the lock found, worst first. */
export function ReportFindings({ findings }: { readonly findings: readonly Diagnostic[] }) {
  const [severity, setSeverity] = useState<Severity | ''>('');
  const rows = findings.filter((one) => severity === '' || one.severity === severity);
  if (findings.length === 0)
    return (
      <EmptyState title="Nothing was found">
        <p>The compiler has no remarks about this source.</p>
      </EmptyState>
    );
  return (
    <FilteredRows
      what="findings"
      one="finding"
      rows={rows}
      wordsOf={({ code, message, pointer = '' }) => `${code} ${message} ${pointer}`}
      total={findings.length}
      more={
        <Field label="Severity" quiet>
          <select value={severity} onChange={({ target }) => setSeverity(target.value as Severity | '')}>
            <option value="">All severities</option>
            <option value="error">Errors</option>
            <option value="warning">Warnings</option>
            <option value="info">Notes</option>
          </select>
        </Field>
      }
    >
      {(shown) => (
        <Panel flush>
          <ul className={styles['findings']} aria-label="Findings">
            {shown.map((finding, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: findings have no id, and the list is drawn as it came
              <li key={index} className={styles['finding']}>
                <Badge tone={SEVERITIES[finding.severity].tone}>{SEVERITIES[finding.severity].word}</Badge>
                <FindingLine finding={finding} />
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </FilteredRows>
  );
}
