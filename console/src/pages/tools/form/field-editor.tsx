import { useMemo } from 'react';
import { AlternativesField } from './alternatives-field.tsx';
import { ConstantField } from './constant-field.tsx';
import type { EditorProps } from './editor-props.ts';
import { fieldOf } from './field.ts';
import { canShow } from './field-value.ts';
import { ListField } from './list-field.tsx';
import { ObjectField } from './object-field.tsx';
import { ScalarField } from './scalar-field.tsx';
import { SelectionField } from './selection-field.tsx';

/** The control for one schema. */
export function FieldEditor({ schema, ...props }: EditorProps & { readonly schema: unknown }) {
  const field = useMemo(() => fieldOf(schema, props.root), [schema, props.root]);
  if (!canShow(field, props.value)) return <ScalarField {...props} field={field} />;
  switch (field.control.kind) {
    case 'object':
      return <ObjectField {...props} field={field} control={field.control} />;
    case 'list':
      return <ListField {...props} field={field} control={field.control} />;
    case 'selection':
      return <SelectionField {...props} field={field} control={field.control} />;
    case 'alternatives':
      return <AlternativesField {...props} field={field} control={field.control} />;
    case 'constant':
      return <ConstantField {...props} field={field} control={field.control} />;
    default:
      return <ScalarField {...props} field={field} />;
  }
}
