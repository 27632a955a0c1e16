import { type ReactNode, useContext, useEffect, useState } from 'react';
import { type JsonObject, pointerTo, withMember } from '../../../components/json/json-values.ts';
import { type EditorProps, MemberLabel, PartEditor } from './editor-props.ts';
import type { Control } from './field.ts';
import styles from './form.module.css';
import { OtherMembers } from './other-members.tsx';

interface MembersProps extends Pick<EditorProps, 'pointer' | 'root' | 'problems'> {
  readonly control: Extract<Control, { kind: 'object' }>;
  readonly value: JsonObject;
  readonly onChange: (value: JsonObject) => void;
}

/** Up to so many optional members stand open beside the needed ones. */
const FEW = 6;

/** What an object needs, then what it may have: folded where that is much and nothing of it is set. */
export function Members({ control, value, pointer, root, problems, onChange }: MembersProps) {
  const Editor = useContext(PartEditor);
  const labelOf = useContext(MemberLabel);
  const editor = (member: (typeof control.members)[number]) => {
    const { name, required, schema } = member;
    return (
      <Editor
        key={name}
        name={labelOf(name, schema)}
        required={required}
        schema={schema}
        pointer={pointerTo(pointer, name)}
        value={Object.hasOwn(value, name) ? value[name] : undefined}
        root={root}
        problems={problems}
        onChange={(next) => onChange(withMember(value, name, next))}
      />
    );
  };
  const needed = control.members.filter(({ required }) => required);
  const optional = control.members.filter(({ required }) => !required);
  const isTouched = optional.some(
    ({ name }) =>
      Object.hasOwn(value, name) ||
      [...problems.keys()].some((at) => `${at}/`.startsWith(`${pointerTo(pointer, name)}/`)),
  );
  return (
    <div className={styles['members']}>
      {needed.map(editor)}
      {optional.length <= FEW ? (
        optional.map(editor)
      ) : (
        <Folded title={`${optional.length} optional arguments`} open={isTouched || needed.length === 0}>
          {optional.map(editor)}
        </Folded>
      )}
      {control.others === undefined ? null : (
        <OtherMembers
          schema={control.others}
          known={control.members.map(({ name }) => name)}
          value={value}
          pointer={pointer}
          root={root}
          problems={problems}
          onChange={onChange}
        />
      )}
    </div>
  );
}

interface FoldedProps {
  readonly title: string;
  /** There is something in it to see; it is never closed by itself. */
  readonly open: boolean;
  readonly children: ReactNode;
}

function Folded({ title, open, children }: FoldedProps) {
  const [isOpen, setOpen] = useState(open);
  useEffect(() => {
    if (open) setOpen(true);
  }, [open]);
  return (
    <details
      className={styles['optional']}
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>{title}</summary>
      <div className={styles['members']}>{children}</div>
    </details>
  );
}
