import { useMemo } from 'react';
import type { JsonObject } from '../../../components/json/json-values.ts';
import { type EditorProps, PartEditor } from './editor-props.ts';
import { fieldOf } from './field.ts';
import { FieldEditor } from './field-editor.tsx';
import styles from './form.module.css';
import { Members } from './members.tsx';
import type { Schema } from './schema.ts';

interface SchemaFormProps {
  readonly schema: Schema;
  readonly value: JsonObject;
  readonly problems: EditorProps['problems'];
  readonly onChange: (value: JsonObject) => void;
}

/** The arguments of a tool, a control a member. */
export function SchemaForm({ schema, value, problems, onChange }: SchemaFormProps) {
  const { control } = useMemo(() => fieldOf({ type: 'object', ...schema }, schema), [schema]);
  if (control.kind !== 'object')
    return <p className={styles['hint']}>These arguments have a shape of their own: write them as JSON.</p>;
  if (control.members.length === 0 && control.others === undefined)
    return <p className={styles['hint']}>It takes no arguments.</p>;
  return (
    <PartEditor value={FieldEditor}>
      <Members
        control={control}
        value={value}
        pointer=""
        root={schema}
        problems={problems}
        onChange={onChange}
      />
    </PartEditor>
  );
}
