import { useContext, useRef, useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { Field } from '../../../components/forms/field.tsx';
import { type JsonObject, pointerTo, withMember } from '../../../components/json/json-values.ts';
import { say } from '../../../components/states/said.tsx';
import { type EditorProps, PartEditor } from './editor-props.ts';
import { emptied, initialValue } from './field-value.ts';
import styles from './form.module.css';
import { RemovableItem } from './removable-item.tsx';
import type { Schema } from './schema.ts';
import { CONTROL, useLeadFocus } from './use-lead-focus.ts';

interface OtherMembersProps extends Pick<EditorProps, 'pointer' | 'root' | 'problems'> {
  readonly schema: Schema;
  /** Names that have controls of their own. */
  readonly known: readonly string[];
  readonly value: JsonObject;
  readonly onChange: (value: JsonObject) => void;
}

/** Members whose names are free (`additionalProperties`). */
export function OtherMembers(props: OtherMembersProps) {
  const { schema, known, value, pointer, root, problems, onChange } = props;
  const Editor = useContext(PartEditor);
  const [name, setName] = useState('');
  const others = Object.entries(value).filter(([key]) => !known.includes(key));
  const isTaken = Object.hasOwn(value, name) || known.includes(name);
  const part = useRef<HTMLDivElement>(null);
  const lead = useLeadFocus(part);
  const add = () => {
    if (name === '' || isTaken) return;
    say(`${name} is added`);
    lead(`[data-pointer="${CSS.escape(pointerTo(pointer, name))}"] ${CONTROL}`);
    onChange(withMember(value, name, initialValue(schema, root)));
    setName('');
  };
  return (
    <div ref={part} className={styles['members']}>
      {others.map(([key, item]) => (
        <RemovableItem
          key={key}
          name={key}
          onRemove={() => {
            lead(':scope > :last-child input');
            onChange(withMember(value, key, undefined));
          }}
        >
          <Editor
            name={key}
            required={false}
            schema={schema}
            pointer={pointerTo(pointer, key)}
            value={item}
            root={root}
            problems={problems}
            onChange={(next) => onChange(withMember(value, key, next ?? emptied(item)))}
          />
        </RemovableItem>
      ))}
      <div className={styles['add']}>
        <Field
          label={known.length === 0 ? 'Name' : 'Another name'}
          error={isTaken ? 'Is there already.' : undefined}
        >
          <input
            value={name}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => setName(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return;
              event.preventDefault();
              add();
            }}
          />
        </Field>
        <Button size="s" disabled={name === '' || isTaken} onClick={add}>
          Add
        </Button>
      </div>
    </div>
  );
}
