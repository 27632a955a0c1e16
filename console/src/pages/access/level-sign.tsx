import type { AccessLevel } from '../../../../gateway/src/operations/access-level.ts';
import styles from './level-sign.module.css';
import { levelWords } from './level-words.ts';

/** Shapes of 16 by 16: a pen, an eye, a bar through a circle, a dash. */
const SHAPES: Readonly<Record<AccessLevel, string>> = {
  'read-write': 'M2.5 13.5l.7-3L10.6 3l2.4 2.4-7.5 7.4-3 .7z',
  'read-only':
    'M1.5 8S4 3.8 8 3.8 14.5 8 14.5 8 12 12.2 8 12.2 1.5 8 1.5 8zM8 6.2a1.8 1.8 0 100 3.6 1.8 1.8 0 000-3.6z',
  disabled: 'M8 2.2a5.8 5.8 0 100 11.6 5.8 5.8 0 000-11.6zM4 4l8 8',
  none: 'M4 8h8',
};

/** A level as a shape and a word; its colour says no more than they do. */
export function LevelSign({ level }: { readonly level: AccessLevel | null }) {
  return (
    <span className={styles['sign']} data-level={level ?? 'none'}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d={SHAPES[level ?? 'none']} />
      </svg>
      {levelWords(level)}
    </span>
  );
}
