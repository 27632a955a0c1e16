import { Badge, type Tone } from '../../components/badge.tsx';
import { visibleJson, visibleText } from '../../components/visible-text.ts';
import styles from './approvals.module.css';
import type { Difference } from './argument-diff.ts';

const KINDS: Readonly<Record<Difference['kind'], readonly [label: string, tone: Tone]>> = {
  added: ['added', 'good'],
  removed: ['removed', 'bad'],
  changed: ['changed', 'warn'],
};
const MOST = 200;

/** What would be another than was asked for, by JSON Pointer. */
export function DifferenceList({ differences }: { readonly differences: readonly Difference[] }) {
  return (
    <ul className={styles['differences']} aria-label="Changed arguments">
      {differences.slice(0, MOST).map(({ pointer, kind, before, after }) => {
        const [label, tone] = KINDS[kind];
        return (
          <li key={`${kind} ${pointer}`} className={styles['difference']}>
            <Badge tone={tone} plain>
              {label}
            </Badge>
            <code className={styles['pointer']}>
              {pointer === '' ? '(everything)' : visibleText(pointer)}
            </code>
            <span className={styles['values']}>
              {kind === 'added' ? null : (
                <del className={styles['before']}>
                  <span className="visually-hidden">before: </span>
                  {visibleJson(before)}
                </del>
              )}
              {kind === 'removed' ? null : (
                <ins className={styles['after']}>
                  <span className="visually-hidden">now: </span>
                  {visibleJson(after)}
                </ins>
              )}
            </span>
          </li>
        );
      })}
      {differences.length > MOST ? <li>{differences.length - MOST} more</li> : null}
    </ul>
  );
}
