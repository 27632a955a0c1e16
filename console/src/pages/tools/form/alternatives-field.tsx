import { useContext, useState } from 'react';
import { Field } from '../../../components/field.tsx';
import { type ControlProps, PartEditor } from './editor-props.ts';
import { type Control, initialValue, isOfBranch } from './field.ts';
import styles from './form.module.css';
import { Group } from './group.tsx';

type AlternativesProps = ControlProps & { readonly control: Extract<Control, { kind: 'alternatives' }> };

/** One of several shapes: which one, then the value in that shape. */
export function AlternativesField(props: AlternativesProps) {
  const { name, control, value, pointer, root, problems, onChange } = props;
  const Editor = useContext(PartEditor);
  const { branches } = control;
  const [chosen, setChosen] = useState<number>();
  // what was chosen counts as long as the value is of that kind; a value written as JSON chooses for itself
  const fits = (at: number) => isOfBranch(value, branches[at]!.schema, root);
  const found = branches.findIndex((_branch, at) => fits(at));
  const current = chosen !== undefined && (found < 0 || fits(chosen)) ? chosen : Math.max(found, 0);
  const branch = branches[current]!;
  return (
    <Group {...props} initial={() => initialValue(branches[0]!.schema, root)}>
      <div className={styles['members']}>
        <Field label={`Kind of ${name}`}>
          <select
            value={current}
            onChange={({ target }) => {
              const next = Number(target.value);
              setChosen(next);
              onChange(initialValue(branches[next]!.schema, root));
            }}
          >
            {branches.map(({ label }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: branches have no identity but their place
              <option key={at} value={at}>
                {label}
              </option>
            ))}
          </select>
        </Field>
        <Editor
          key={current}
          name={branch.label}
          required={false}
          schema={branch.schema}
          pointer={pointer}
          value={value}
          root={root}
          problems={problems}
          onChange={onChange}
        />
      </div>
    </Group>
  );
}
