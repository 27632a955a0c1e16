import { useState } from 'react';
import { Field } from '../../../components/forms/field.tsx';
import { faultText, jsonFault } from '../../../components/json/json-fault.ts';
import { isObject, isSame, type JsonObject } from '../../../components/json/json-values.ts';

interface JsonArgumentsProps {
  readonly value: JsonObject;
  readonly onChange: (value: JsonObject) => void;
  /** A text that is no object of arguments, or not yet; undefined: `value` is what stands there. */
  readonly draft: string | undefined;
  readonly onDraft: (draft: string) => void;
}

/** The same arguments as JSON text; what is no object is a draft and changes nothing else. */
export function JsonArguments({ value, onChange, draft, onDraft }: JsonArgumentsProps) {
  const [written, setWritten] = useState<{ readonly text: string; readonly means: JsonObject }>();
  const asTyped = written !== undefined && isSame(written.means, value) ? written.text : undefined;
  const text = draft ?? asTyped ?? JSON.stringify(value, undefined, 2);
  return (
    <Field label="Arguments as JSON" error={draft === undefined ? undefined : faultOfDraft(draft)}>
      <textarea
        rows={14}
        spellCheck={false}
        value={text}
        onChange={({ target }) => {
          const read = readObject(target.value);
          if (typeof read === 'string') return onDraft(target.value);
          setWritten({ text: target.value, means: read });
          onChange(read);
        }}
      />
    </Field>
  );
}

function faultOfDraft(draft: string): string | undefined {
  const read = readObject(draft);
  return typeof read === 'string' ? read : undefined;
}

/** The object, or what is wrong with the text. */
function readObject(text: string): JsonObject | string {
  const fault = jsonFault(text);
  if (fault !== undefined) return faultText(fault);
  const value: unknown = JSON.parse(text);
  return isObject(value) ? value : 'Arguments are an object: { … }.';
}
