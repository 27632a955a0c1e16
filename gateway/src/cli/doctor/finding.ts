/** One thing `doctor` looked at. */
export interface Finding {
  readonly check: string;
  readonly status: 'ok' | 'info' | 'warning' | 'error';
  readonly message: string;
  /** How to mend it. */
  readonly next?: string;
}
