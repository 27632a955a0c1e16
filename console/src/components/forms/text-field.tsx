import { type Ref, useEffect, useEffectEvent, useState } from 'react';
import { Field } from './field.tsx';

/** How long after the last key a text counts, milliseconds. */
const PAUSE_MS = 250;

interface TextFieldProps {
  readonly label: string;
  readonly quiet?: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly inputRef?: Ref<HTMLInputElement>;
  readonly list?: string;
  readonly placeholder?: string;
  readonly type?: 'search' | 'text';
}

/** Tells its text once nobody types any more; takes another one when the address changes. */
export function TextField({ label, quiet = false, value, onChange, inputRef, ...input }: TextFieldProps) {
  const [text, setText] = useState(value);
  const [told, setTold] = useState(value);
  if (told !== value) {
    setTold(value);
    // a space that was just typed stays
    if (value !== text.trim()) setText(value);
  }
  // the list is drawn again with every call: that must not begin the pause anew
  const tell = useEffectEvent(onChange);
  useEffect(() => {
    if (text.trim() === value) return;
    const timer = setTimeout(() => tell(text.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, value]);
  return (
    <Field label={label} quiet={quiet}>
      <input
        {...input}
        ref={inputRef}
        value={text}
        maxLength={200}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => setText(event.target.value)}
      />
    </Field>
  );
}
