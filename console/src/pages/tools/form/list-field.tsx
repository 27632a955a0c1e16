import { useContext, useRef } from 'react';
import { Button } from '../../../components/button.tsx';
import { pointerTo, withItem } from '../../../components/json/json-values.ts';
import { say } from '../../../components/states/said.tsx';
import { type ControlProps, PartEditor } from './editor-props.ts';
import type { Control } from './field.ts';
import { emptied, initialValue } from './field-value.ts';
import styles from './form.module.css';
import { Group } from './group.tsx';
import { RemovableItem } from './removable-item.tsx';
import { CONTROL, useLeadFocus } from './use-lead-focus.ts';

type ListProps = ControlProps & { readonly control: Extract<Control, { kind: 'list' }> };

/** Items one below the other. */
export function ListField(props: ListProps) {
  const { name, control, value, pointer, root, problems, onChange } = props;
  const Editor = useContext(PartEditor);
  const items = Array.isArray(value) ? value : [];
  const added = () => initialValue(control.item, root);
  const list = useRef<HTMLDivElement>(null);
  const lead = useLeadFocus(list);
  return (
    <Group {...props} initial={() => [added()]}>
      <div ref={list} className={styles['members']}>
        {items.map((item, index) => (
          <RemovableItem
            // biome-ignore lint/suspicious/noArrayIndexKey: items of a list have no identity but their place
            key={index}
            name={`${name} ${index + 1}`}
            onRemove={() => {
              // to what takes its place, and not to the button that removes that
              lead(
                index < items.length - 1
                  ? `:scope > :nth-child(${index + 1}) ${CONTROL}`
                  : ':scope > :last-child > button',
              );
              onChange(withItem(items, index, undefined));
            }}
          >
            <Editor
              name={`${name} ${index + 1}`}
              required={false}
              schema={control.item}
              pointer={pointerTo(pointer, index)}
              value={item}
              root={root}
              problems={problems}
              onChange={(next) => onChange(withItem(items, index, next ?? emptied(item)))}
            />
          </RemovableItem>
        ))}
        <div className={styles['row']}>
          <Button
            size="s"
            aria-label={`Add one to ${name}`}
            onClick={() => {
              say(`${name} ${items.length + 1} is added`);
              lead(`:scope > :nth-child(${items.length + 1}) ${CONTROL}`);
              onChange([...items, added()]);
            }}
          >
            Add one
          </Button>
        </div>
      </div>
    </Group>
  );
}
