import { useState } from 'react';
import { useLocation } from 'wouter';
import type { KeptDocument } from '../../../../gateway/src/server/http/admin/gateway-sources.ts';
import { Field } from '../../components/forms/field.tsx';
import { bytes } from '../../components/quantities.ts';
import { EntryField } from './entry-field.tsx';
import { entryFrom } from './entry-text.ts';
import { useSourceOptions } from './queries.ts';
import { type Draft, SourceEditor } from './source-editor.tsx';
import { missingFields, SourceFields } from './source-fields.tsx';
import { SOURCE_FORMS, suggestedName, trimmed, type Values } from './source-forms.ts';
import styles from './sources.module.css';

interface AddSourceProps {
  /** A document that was dropped on the page. */
  readonly document?: KeptDocument;
  readonly onClose: () => void;
}

/** As the configuration takes it, for what no form asks. */
const BY_HAND = 'entry';

/** A new source, by its kind. */
export function AddSource({ document, onClose }: AddSourceProps) {
  const [, navigate] = useLocation();
  const options = useSourceOptions().data;
  const [kind, setKind] = useState('openapi');
  const [name, setName] = useState<string | undefined>(document?.name);
  const [values, setValues] = useState<Values>(document === undefined ? {} : { document: document.path });
  const [text, setText] = useState('{\n  "openapi": "./openapi.json"\n}');
  const form = SOURCE_FORMS.find((one) => one.kind === kind);
  const asked =
    document === undefined || form === undefined
      ? form
      : { ...form, fields: form.fields.filter((field) => field.name !== 'document') };
  const filled = form?.kind === 'manifest' ? { provider: options?.providers[0] ?? '', ...values } : values;
  const called = name ?? (form === undefined ? 'source' : suggestedName(form, filled));
  const draft = (): Draft | string => {
    if (called.trim() === '') return 'It needs a name.';
    if (form === undefined) {
      const entry = entryFrom(text);
      return typeof entry === 'string' ? entry : { section: 'sources', name: called.trim(), entry };
    }
    const [missing] = missingFields(form, filled);
    if (missing !== undefined) return `${missing} is needed.`;
    return { section: 'sources', name: called.trim(), entry: form.entry(trimmed(filled)) };
  };
  return (
    <SourceEditor
      title="Add a source"
      action="Add"
      draft={draft()}
      onClose={onClose}
      onSaved={(added) => {
        onClose();
        navigate(`/sources/${encodeURIComponent(added)}`);
      }}
    >
      {document === undefined ? (
        <Field label="What it is" hint={form?.hint ?? 'Exactly what `sources:` takes, as JSON.'}>
          <select value={kind} onChange={({ target }) => setKind(target.value)}>
            {SOURCE_FORMS.map((one) => (
              <option key={one.kind} value={one.kind}>
                {one.title}
              </option>
            ))}
            <option value={BY_HAND}>Anything else, by its entry</option>
          </select>
        </Field>
      ) : (
        <p>
          An OpenAPI document of {bytes(document.bytes)}, kept by the gateway as{' '}
          <code className={styles['soft']}>{document.path}</code>
        </p>
      )}
      {asked === undefined ? (
        <EntryField text={text} onChange={setText} />
      ) : (
        <SourceFields
          form={asked}
          values={values}
          providers={options?.providers ?? []}
          onChange={(field, value) => setValues({ ...values, [field]: value })}
        />
      )}
      <Field label="Name" hint="Stands before the names of its tools.">
        <input
          value={called}
          maxLength={32}
          spellCheck={false}
          autoComplete="off"
          onChange={({ target }) => setName(target.value)}
        />
      </Field>
    </SourceEditor>
  );
}
