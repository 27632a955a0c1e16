import type { ComponentProps } from 'react';
import styles from './button.module.css';

interface ButtonProps extends ComponentProps<'button'> {
  /** `primary`: the one thing to do here; `danger`: destroys something; `quiet`: beside others. */
  readonly variant?: 'default' | 'primary' | 'danger' | 'quiet';
  readonly size?: 'm' | 's';
  /** What it began goes on, or it has to wait: a click does nothing, and the focus stays, which `disabled` takes. */
  readonly waits?: boolean;
}

export function Button({
  variant = 'default',
  size = 'm',
  waits = false,
  onClick,
  className,
  type = 'button',
  ...rest
}: ButtonProps) {
  const names = [styles['button'], styles[variant], styles[size], className].filter(Boolean).join(' ');
  return (
    <button
      type={type}
      className={names}
      aria-disabled={waits || undefined}
      onClick={(event) => (waits ? event.preventDefault() : onClick?.(event))}
      {...rest}
    />
  );
}

interface ButtonLinkProps extends ComponentProps<'a'> {
  readonly variant?: 'default' | 'primary';
}

/** A link that looks like a button: a download, or a way out of the page, which are no actions of it. */
export function ButtonLink({ children, variant = 'default', ...rest }: ButtonLinkProps) {
  return (
    <a className={[styles['button'], styles[variant], styles['link']].filter(Boolean).join(' ')} {...rest}>
      {children}
    </a>
  );
}
