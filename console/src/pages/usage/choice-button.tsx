import type { ComponentProps } from 'react';
import { Button } from '../../components/button.tsx';
import styles from './usage.module.css';

/** One of a few things to choose from, all of which show. */
export function ChoiceButton({
  chosen,
  ...rest
}: ComponentProps<typeof Button> & { readonly chosen: boolean }) {
  return <Button className={styles['preset']} aria-pressed={chosen} {...rest} />;
}
