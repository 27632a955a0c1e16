import { useRef } from 'react';
import { ApiError, saidAfterwards, UnreachableError } from '../../api/api-error.ts';
import { useIsAway } from '../../api/gateway-away.ts';
import { Button } from '../button.tsx';
import { useKeepPlace } from '../keep-place.ts';
import { WithCode } from '../with-code.tsx';
import { Notice } from './notice.tsx';
import styles from './states.module.css';

interface ErrorNoteProps {
  readonly error: unknown;
  /** What was tried, as a heading: "The calls could not be read". */
  readonly title?: string | undefined;
  /** What to do, where the gateway's own advice is for programs. */
  readonly next?: string | undefined;
  readonly retry?: () => void;
}

/** A refusal as the gateway says it: what happened, what to do next, and its code. */
export function ErrorNote({ error, title, next, retry }: ErrorNoteProps) {
  const known = error instanceof ApiError ? error : undefined;
  // a form keeps its refusal; that the gateway does not answer is said no longer than it is so
  const isAway = useIsAway();
  const after = known === undefined || isAway ? undefined : saidAfterwards(known);
  const message = after?.message ?? (error instanceof Error ? error.message : 'Something went wrong.');
  const advice = after?.next ?? next ?? known?.next;
  return (
    <Notice tone="bad" title={title ?? message} alert>
      {title === undefined ? null : (
        <p>
          <WithCode text={message} />
        </p>
      )}
      {known?.next === undefined || advice === undefined ? null : (
        <p>
          <WithCode text={advice} />
        </p>
      )}
      {known === undefined ? null : (
        <p className={styles['code']}>
          <code>{known.code}</code>
          {known.pointer === undefined ? null : (
            <>
              {' at '}
              <code>{known.pointer}</code>
            </>
          )}
        </p>
      )}
      {retry === undefined ? null : <Retry onClick={retry} />}
    </Notice>
  );
}

/** It goes with the error that it ends. */
function Retry({ onClick }: { readonly onClick: () => void }) {
  const element = useRef<HTMLButtonElement>(null);
  useKeepPlace(element);
  return (
    <Button ref={element} size="s" onClick={onClick}>
      Try again
    </Button>
  );
}

interface RefusalProps {
  readonly of: { readonly error: unknown };
  /** What was not done: "No key was made". */
  readonly title?: string | undefined;
  readonly next?: string | undefined;
}

/** Why a change was not made; nothing as long as it was not refused. */
export function Refusal({ of: { error }, title, next }: RefusalProps) {
  return error === null ? null : <ErrorNote error={error} title={unmade(error, title)} next={next} />;
}

/** `title` says that a change was not made: nobody knows so where its answer was lost on the way. */
export function unmade<T extends string | undefined>(error: unknown, title: T): T | string {
  const isLost = error instanceof UnreachableError && error.mayBeDone;
  return isLost ? 'It is not known whether this was done' : title;
}
