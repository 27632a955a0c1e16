import { isObject } from '../../../components/json/json-values.ts';
import type { ControlProps } from './editor-props.ts';
import type { Control } from './field.ts';
import { initialValue } from './field-value.ts';
import { Group } from './group.tsx';
import { Members } from './members.tsx';

type ObjectProps = ControlProps & { readonly control: Extract<Control, { kind: 'object' }> };

/** An object within the arguments. */
export function ObjectField(props: ObjectProps) {
  const { control, value, field, root } = props;
  return (
    <Group {...props} initial={() => initialValue(field.schema, root)}>
      <Members {...props} control={control} value={isObject(value) ? value : {}} />
    </Group>
  );
}
