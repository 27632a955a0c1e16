import type { ReactNode } from 'react';
import styles from './badge.module.css';

export type Tone = 'neutral' | 'good' | 'warn' | 'bad' | 'info';

const SIGNS: Readonly<Record<Tone, string>> = { neutral: '', good: '✓', warn: '!', bad: '✕', info: '•' };

interface BadgeProps {
  readonly tone?: Tone;
  /** Without the sign before the word, where many stand in a row. */
  readonly plain?: boolean;
  readonly title?: string;
  readonly children: ReactNode;
}

/** A state in a word; its sign says the same as its colour. */
export function Badge({ tone = 'neutral', plain = false, title, children }: BadgeProps) {
  const sign = plain ? '' : SIGNS[tone];
  return (
    <span className={`${styles['badge']} ${styles[tone]}`} title={title}>
      {sign === '' ? null : <span aria-hidden="true">{sign}</span>}
      {children}
    </span>
  );
}
