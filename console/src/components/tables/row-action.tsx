import { Button } from '../button.tsx';

interface RowActionProps {
  /** The verb: "Remove". */
  readonly children: string;
  /** What it is done to, for its name: "reader". */
  readonly to: string;
  readonly disabled?: boolean;
  readonly onClick: () => void;
}

/** Something to do with one row of a list. */
export function RowAction({ children, to, ...button }: RowActionProps) {
  return (
    <Button size="s" variant="quiet" aria-label={`${children} ${to}`} {...button}>
      {children}
    </Button>
  );
}
