import { Badge, type Tone } from '../../components/badge.tsx';
import { Panel } from '../../components/layout/panel.tsx';
import { Pieces } from '../../components/tables/pieces.tsx';
import { WithCode } from '../../components/with-code.tsx';
import styles from './doctor.module.css';
import type { FindingList as Findings } from './finding-order.ts';
import type { GroupedFinding } from './queries.ts';

const BADGES: Readonly<Record<GroupedFinding['status'], { readonly tone: Tone; readonly word: string }>> = {
  error: { tone: 'bad', word: 'error' },
  warning: { tone: 'warn', word: 'warning' },
  info: { tone: 'info', word: 'note' },
  ok: { tone: 'good', word: 'good' },
};

/** What was found about one thing that a call needs. */
export function FindingList({ title, findings }: Findings) {
  return (
    <Panel title={title} flush>
      <Pieces rows={findings}>
        {(shown) => (
          <ul>
            {shown.map((finding) => (
              <li
                key={`${finding.check} ${finding.message}`}
                className={styles['finding']}
                data-status={finding.status}
              >
                <span>
                  <Badge tone={BADGES[finding.status].tone}>{BADGES[finding.status].word}</Badge>
                </span>
                <div className={styles['words']}>
                  <h3 className={styles['check']}>{finding.check}</h3>
                  <p>
                    <WithCode text={finding.message} />
                  </p>
                  {finding.next === undefined ? null : (
                    <p className={styles['next']}>
                      <span aria-hidden="true">→ </span>
                      <span className="visually-hidden">What to do: </span>
                      <WithCode text={finding.next} />
                    </p>
                  )}
                </div>
              </li>
            ))}
          </ul>
        )}
      </Pieces>
    </Panel>
  );
}
