import type { ComponentProps } from 'react';
import styles from './button.module.css';

interface ButtonProps extends ComponentProps<'button'> {
  /** `primary`: the one thing to do here; `danger`: destroys something; `quiet`: beside others. */
  readonly variant?: 'default' | 'primary' | 'danger' | 'quiet';
  readonly size?: 'm' | 's';
}

export function Button({
  variant = 'default',
  size = 'm',
  className,
  type = 'button',
  ...rest
}: ButtonProps) {
  const names = [styles['button'], styles[variant], styles[size], className].filter(Boolean).join(' ');
  return <button type={type} className={names} {...rest} />;
}

/** A link that looks like a button: a download, which is no action of the page. */
export function ButtonLink({ children, ...rest }: ComponentProps<'a'>) {
  return (
    <a className={`${styles['button']} ${styles['link']}`} {...rest}>
      {children}
    </a>
  );
}
