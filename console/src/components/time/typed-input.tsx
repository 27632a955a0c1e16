import { type ComponentProps, useState } from 'react';

interface TypedInputProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'onBlur'> {
  readonly type: 'date' | 'time';
  readonly value: string;
  /** It may be emptied, too. */
  readonly optional?: boolean;
  /** A value that is on the way to another one. */
  readonly isHalf?: (value: string) => boolean;
  /** Not while it is half typed. */
  readonly onTyped: (value: string) => void;
}

/**
 * What is typed part by part. A browser has no value while a part is empty, and says nothing when the last one is: a
 * value that was put back meanwhile could not be taken out by keys.
 */
export function TypedInput({ value, optional = false, isHalf, onTyped, ...rest }: TypedInputProps) {
  const [half, setHalf] = useState<string>();
  return (
    <input
      {...rest}
      value={half ?? value}
      onBlur={({ target }) => {
        const isEmptied = half === '' && target.value === '' && !target.validity.badInput;
        setHalf(undefined);
        if (isEmptied && optional) onTyped('');
      }}
      onChange={({ target: { value: typed, validity } }) => {
        const isUnfinished = validity.badInput || isHalf?.(typed) === true;
        setHalf(isUnfinished ? typed : undefined);
        if (!isUnfinished && (typed !== '' || optional)) onTyped(typed);
      }}
    />
  );
}
