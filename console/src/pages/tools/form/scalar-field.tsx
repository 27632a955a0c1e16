import { useId, useState } from 'react';
import { Field } from '../../../components/forms/field.tsx';
import { isSame, type Json } from '../../../components/json/json-values.ts';
import { faultOfText, type TextControl, textOfValue, valueOfText } from './control-text.ts';
import type { ControlProps } from './editor-props.ts';
import { canShow } from './field-value.ts';
import styles from './form.module.css';
import { limitsOf } from './limits.ts';
import { isSecret } from './secret.ts';

/** A text as it was typed, the value that it means, and why it means none: then the value is the one before. */
interface Written {
  readonly text: string;
  readonly means: Json | undefined;
  readonly fault: string | undefined;
}

/** A value that is one text, one number, one choice, or JSON; as JSON, too, where its own control cannot show it. */
export function ScalarField(props: ControlProps) {
  const { name, required, pointer, field, value, problems, onChange } = props;
  const [written, setWritten] = useState<Written>();
  const isNull = value === null && field.nullable;
  // an item whose text was deleted, or whose choice was taken back, keeps its place as null
  const isDeleted = written?.text.trim() === '' && value === null && !isNull;
  const chosen = field.control.kind === 'boolean' || field.control.kind === 'choice';
  const control =
    canShow(field, value) || (isDeleted && chosen)
      ? (field.control as TextControl)
      : ({ kind: 'json' } as const);
  // stays as it was typed while the value is what it means: `1.` is on the way to `1.5`
  const typed = isDeleted || (written !== undefined && isSame(written.means, value)) ? written : undefined;
  const fault = isNull
    ? undefined
    : isDeleted
      ? 'Needs a value.'
      : (typed?.fault ?? faultOfText(control, value));
  const change = (text: string) => {
    try {
      const means = valueOfText(control, text);
      setWritten({ text, means, fault: undefined });
      onChange(means);
    } catch (error) {
      setWritten({ text, means: value, fault: error instanceof Error ? error.message : 'Is no JSON.' });
    }
  };
  const text = isNull ? '' : (typed?.text ?? textOfValue(control, value));
  return (
    <div
      className={styles['scalar']}
      data-pointer={pointer}
      data-fault={fault === undefined ? undefined : ''}
    >
      <Field
        label={name}
        required={required}
        error={fault ?? problems.get(pointer)}
        hint={hintOf(props, control)}
      >
        {control.kind === 'boolean' || control.kind === 'choice' ? (
          <Choice {...props} control={control} value={text} onChange={change} isNull={isNull} />
        ) : control.kind === 'json' || (control.kind === 'text' && control.multiline) ? (
          <textarea
            dir={control.kind === 'text' ? 'auto' : undefined}
            value={text}
            spellCheck={control.kind === 'text'}
            disabled={isNull}
            onChange={(event) => change(event.target.value)}
          />
        ) : (
          <Line {...props} control={control} text={text} isNull={isNull} onText={change} />
        )}
      </Field>
      {field.nullable && control.kind !== 'boolean' && control.kind !== 'choice' ? (
        <label className={styles['null']}>
          <input
            type="checkbox"
            checked={isNull}
            onChange={(event) => onChange(event.target.checked ? null : undefined)}
          />
          null<span className="visually-hidden"> as {name}</span>
        </label>
      ) : null}
    </div>
  );
}

interface LineProps extends ControlProps {
  readonly control: TextControl;
  readonly text: string;
  readonly isNull: boolean;
  readonly onText: (text: string) => void;
  // given by Field
  readonly id?: string;
  readonly 'aria-describedby'?: string | undefined;
  readonly 'aria-invalid'?: boolean;
}

function Line({ control, text, isNull, field, required, onText, ...given }: LineProps) {
  const list = useId();
  const secret = isSecret(field.schema);
  const examples = control.kind === 'text' ? field.examples.filter((one) => typeof one === 'string') : [];
  return (
    <>
      <input
        id={given.id}
        aria-describedby={given['aria-describedby']}
        aria-invalid={given['aria-invalid']}
        aria-required={required}
        dir={secret || control.kind !== 'text' ? undefined : 'auto'}
        type={secret ? 'password' : 'text'}
        inputMode={control.kind === 'number' ? (control.integer ? 'numeric' : 'decimal') : undefined}
        autoComplete="off"
        spellCheck={false}
        list={examples.length === 0 ? undefined : list}
        placeholder={field.default === undefined ? undefined : shown(field.default)}
        value={text}
        disabled={isNull}
        onChange={(event) => onText(event.target.value)}
      />
      {examples.length === 0 ? null : (
        <datalist id={list}>
          {examples.map((example) => (
            <option key={example} value={example} />
          ))}
        </datalist>
      )}
    </>
  );
}

interface ChoiceProps extends Omit<ControlProps, 'value' | 'onChange'> {
  readonly control: TextControl;
  readonly value: string;
  readonly isNull: boolean;
  readonly onChange: (text: string) => void;
  readonly id?: string;
  readonly 'aria-describedby'?: string | undefined;
  readonly 'aria-invalid'?: boolean;
}

const NULL = 'null';

function Choice({ control, value, isNull, field, required, onChange, ...given }: ChoiceProps) {
  const options: ReadonlyArray<readonly [string, string]> =
    control.kind === 'choice'
      ? control.options.map((option, at) => [String(at), control.labels?.[at] ?? shown(option)] as const)
      : [
          ['true', 'true'],
          ['false', 'false'],
        ];
  return (
    <select
      id={given.id}
      aria-describedby={given['aria-describedby']}
      aria-invalid={given['aria-invalid']}
      aria-required={required}
      value={isNull ? NULL : value}
      onChange={({ target }) => onChange(target.value)}
    >
      <option value="">{nothingChosen(field.default)}</option>
      {options.map(([key, label]) => (
        <option key={key} value={key}>
          {label}
        </option>
      ))}
      {field.nullable ? <option value={NULL}>null</option> : null}
    </select>
  );
}

/** In words: a dash alone is heard as nothing. */
function nothingChosen(by: Json | undefined): string {
  return by === undefined ? '– nothing chosen' : `– nothing chosen (${shown(by)})`;
}

function hintOf({ field, value }: ControlProps, control: TextControl): string | undefined {
  const parts = [
    field.description,
    limitsOf(field.schema),
    field.default === undefined ? undefined : `default ${shown(field.default)}`,
    control.kind === 'json' ? 'written as JSON' : undefined,
    control.kind === 'text' && value === '' ? 'an empty text is sent' : undefined,
  ];
  return parts.filter((part) => part !== undefined).join(' · ') || undefined;
}

function shown(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
