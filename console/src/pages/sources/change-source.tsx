import { useState } from 'react';
import type { SourceEntry } from '../../../../gateway/src/server/http/admin/gateway-sources.ts';
import { Field } from '../../components/forms/field.tsx';
import { changeForm } from './change-form.ts';
import { EntryField } from './entry-field.tsx';
import { entryFrom } from './entry-text.ts';
import { type JsonObject, useSourceOptions } from './queries.ts';
import { type Draft, SourceEditor } from './source-editor.tsx';
import { missingFields, SourceFields } from './source-fields.tsx';
import { trimmed, type Values } from './source-forms.ts';

interface ChangeSourceProps {
  readonly entry: SourceEntry;
  readonly onClose: () => void;
}

const BY_FORM = 'form';
const BY_HAND = 'entry';

/** Another entry for a source that is there: by the form of its kind, or as it stands in the file. */
export function ChangeSource({ entry: { section, name, value }, onClose }: ChangeSourceProps) {
  const providers = useSourceOptions().data?.providers ?? [];
  /** What the form begins with. */
  const [base, setBase] = useState(value);
  const change = changeForm(base);
  const [values, setValues] = useState<Values>(change?.values ?? {});
  const [text, setText] = useState(() => (change === undefined ? textOf(value) : undefined));
  const written = text === undefined ? undefined : entryFrom(text);
  const canHaveForm =
    written === undefined || (typeof written === 'object' && changeForm(written) !== undefined);
  const draft = (): Draft | string => {
    if (written !== undefined) {
      return typeof written === 'string' ? written : { section, name, entry: written };
    }
    const [missing] = missingFields(change!.form, values);
    return missing === undefined
      ? { section, name, entry: change!.entry(trimmed(values)) }
      : `${missing} is needed.`;
  };
  const choose = (way: string) => {
    if (way === BY_HAND) setText(textOf(change!.entry(trimmed(values))));
    else if (typeof written === 'object') {
      setBase(written);
      setValues(changeForm(written)?.values ?? {});
      setText(undefined);
    }
  };
  return (
    <SourceEditor
      title={`Change ${name}`}
      action="Save"
      replace
      draft={draft()}
      onClose={onClose}
      onSaved={onClose}
    >
      <Field
        label="What to change"
        hint={text === undefined ? 'What else its entry has stays as it is.' : undefined}
      >
        <select
          value={text === undefined ? BY_FORM : BY_HAND}
          onChange={({ target }) => choose(target.value)}
        >
          <option value={BY_FORM} disabled={!canHaveForm}>
            Its usual settings
          </option>
          <option value={BY_HAND}>Its whole entry</option>
        </select>
      </Field>
      {text === undefined ? (
        <SourceFields
          form={change!.form}
          values={values}
          providers={withOwn(providers, values['provider'])}
          onChange={(field, changed) => setValues({ ...values, [field]: changed })}
        />
      ) : (
        <EntryField text={text} onChange={setText} />
      )}
    </SourceEditor>
  );
}

function textOf(entry: JsonObject): string {
  return JSON.stringify(entry, undefined, 2);
}

/** The choices before they are known, too. */
function withOwn(providers: readonly string[], own: string | undefined): readonly string[] {
  return own === undefined || own === '' || providers.includes(own) ? providers : [own, ...providers];
}
