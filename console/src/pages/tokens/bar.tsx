import { count } from '../../components/quantities.ts';
import styles from './tokens.module.css';

interface BarProps {
  readonly value: number;
  readonly most: number;
  readonly tone?: 'accent' | 'soft';
}

/** A number with a bar as long as its share; the number says all. */
export function Bar({ value, most, tone = 'soft' }: BarProps) {
  const share = most === 0 ? 0 : Math.max((value / most) * 100, 0.6);
  return (
    <span className={styles['bar']}>
      <span className={styles['number']}>{count(value)}</span>
      <span className={styles['track']} aria-hidden="true">
        <span className={`${styles['fill']} ${styles[tone]}`} style={{ inlineSize: `${share}%` }} />
      </span>
    </span>
  );
}
