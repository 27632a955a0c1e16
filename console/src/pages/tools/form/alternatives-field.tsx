import { useContext, useMemo, useState } from 'react';
import { Field } from '../../../components/forms/field.tsx';
import { isObject } from '../../../components/json/json-values.ts';
import { type ControlProps, PartEditor } from './editor-props.ts';
import { type Branch, type Control, fieldOf } from './field.ts';
import { initialValue, isOfBranch } from './field-value.ts';
import styles from './form.module.css';
import { Group } from './group.tsx';
import { Members } from './members.tsx';

type AlternativesProps = ControlProps & { readonly control: Extract<Control, { kind: 'alternatives' }> };

/** One of several shapes: which one, then the value in that shape. */
export function AlternativesField(props: AlternativesProps) {
  const { name, control, value, root, onChange } = props;
  const { branches } = control;
  const [chosen, setChosen] = useState<number>();
  // what was chosen counts as long as the value is of that kind; a value written as JSON chooses for itself
  const fits = (at: number) => isOfBranch(value, branches[at]!.schema, root);
  const found = branches.findIndex((_branch, at) => fits(at));
  const current = chosen !== undefined && (found < 0 || fits(chosen)) ? chosen : Math.max(found, 0);
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
        <InBranch key={current} {...props} branch={branches[current]!} />
      </div>
    </Group>
  );
}

/** The value in one shape: an object's members stand here at once, what is wrong with the whole is said above. */
function InBranch({ branch, ...props }: AlternativesProps & { readonly branch: Branch }) {
  const Editor = useContext(PartEditor);
  const { value, root, pointer, problems, onChange } = props;
  const { control } = useMemo(() => fieldOf(branch.schema, root), [branch, root]);
  if (control.kind === 'object' && (value === undefined || isObject(value))) {
    return (
      <Members
        control={control}
        value={value ?? {}}
        pointer={pointer}
        root={root}
        problems={problems}
        onChange={onChange}
      />
    );
  }
  return (
    <Editor
      name={branch.label}
      required={false}
      schema={branch.schema}
      pointer={pointer}
      value={value}
      root={root}
      problems={new Map([...problems].filter(([at]) => at !== pointer))}
      onChange={onChange}
    />
  );
}
