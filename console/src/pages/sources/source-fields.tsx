import { Field } from '../../components/forms/field.tsx';
import {
  CREDENTIAL_WORDS,
  CREDENTIALS,
  type FormField,
  type SourceForm,
  type Values,
} from './source-forms.ts';

interface SourceFieldsProps {
  readonly form: SourceForm;
  readonly values: Values;
  readonly providers: readonly string[];
  readonly onChange: (name: string, value: string) => void;
}

/** The fields of one kind of source. */
export function SourceFields({ form, values, providers, onChange }: SourceFieldsProps) {
  const fields = form.fields.map((field) =>
    field.name === 'provider' ? { ...field, choices: providers } : field,
  );
  const credential = values['credential'] ?? 'none';
  return (
    <>
      {fields.map((field) => (
        <OneField key={field.name} field={field} value={values[field.name]} onChange={onChange} />
      ))}
      {form.credential ? (
        <>
          <Field
            label="Credential"
            hint="Named by environment variables of the gateway: secrets stay out of the file and of this page."
          >
            <select value={credential} onChange={({ target }) => onChange('credential', target.value)}>
              {Object.keys(CREDENTIALS).map((name) => (
                <option key={name} value={name}>
                  {CREDENTIAL_WORDS[name]}
                </option>
              ))}
            </select>
          </Field>
          {(CREDENTIALS[credential] ?? []).map((field) => (
            <OneField key={field.name} field={field} value={values[field.name]} onChange={onChange} />
          ))}
        </>
      ) : null}
    </>
  );
}

interface OneFieldProps {
  readonly field: FormField;
  readonly value: string | undefined;
  readonly onChange: (name: string, value: string) => void;
}

function OneField({ field, value, onChange }: OneFieldProps) {
  const { name, label, hint, placeholder, required = false, choices } = field;
  return (
    <Field label={label} hint={hint} required={required}>
      {choices === undefined ? (
        <input
          value={value ?? ''}
          placeholder={placeholder}
          spellCheck={false}
          autoComplete="off"
          onChange={({ target }) => onChange(name, target.value)}
        />
      ) : (
        <select value={value ?? choices[0]} onChange={({ target }) => onChange(name, target.value)}>
          {choices.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** Fields that have to be filled and are not. */
export function missingFields(form: SourceForm, values: Values): readonly string[] {
  const credential = form.credential ? (CREDENTIALS[values['credential'] ?? 'none'] ?? []) : [];
  return [...form.fields, ...credential]
    .filter(({ name, required }) => required && !values[name]?.trim())
    .map(({ label }) => label);
}
