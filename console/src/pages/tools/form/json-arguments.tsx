import { useState } from 'react';
import { Field } from '../../../components/field.tsx';
import { faultText, jsonFault } from '../../../components/json-fault.ts';
import { isObject, isSame, type JsonObject } from '../../../components/json-values.ts';

interface JsonArgumentsProps {
  readonly value: JsonObject;
  readonly onChange: (value: JsonObject) => void;
  /** Told whether what stands there can be sent. */
  readonly onFault: (fault: string | undefined) => void;
  readonly fault: string | undefined;
}

/** The same arguments as JSON text; what is no JSON is kept here and changes nothing else. */
export function JsonArguments({ value, onChange, onFault, fault }: JsonArgumentsProps) {
  const [written, setWritten] = useState<{ readonly text: string; readonly means: JsonObject }>();
  const text =
    written !== undefined && (fault !== undefined || isSame(written.means, value))
      ? written.text
      : JSON.stringify(value, undefined, 2);
  return (
    <Field label="Arguments as JSON" error={fault}>
      <textarea
        rows={14}
        spellCheck={false}
        value={text}
        onChange={({ target }) => {
          const read = readObject(target.value);
          if (typeof read === 'string') {
            setWritten({ text: target.value, means: value });
            onFault(read);
            return;
          }
          setWritten({ text: target.value, means: read });
          onFault(undefined);
          onChange(read);
        }}
      />
    </Field>
  );
}

/** The object, or what is wrong with the text. */
function readObject(text: string): JsonObject | string {
  const fault = jsonFault(text);
  if (fault !== undefined) return faultText(fault);
  const value: unknown = JSON.parse(text);
  return isObject(value) ? value : 'Arguments are an object: { … }.';
}
