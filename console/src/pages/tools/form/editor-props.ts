import { type ComponentType, createContext } from 'react';
import type { Json } from '../../../components/json/json-values.ts';
import type { Field } from './field.ts';
import type { Schema } from './schema.ts';

/** What every control of the form is given. */
export interface EditorProps {
  readonly name: string;
  readonly required: boolean;
  /** JSON Pointer of the value within the arguments. */
  readonly pointer: string;
  readonly value: Json | undefined;
  /** With undefined the value is taken out. */
  readonly onChange: (value: Json | undefined) => void;
  /** The whole input schema, for its references. */
  readonly root: Schema;
  /** What the gateway found wrong, by JSON Pointer. */
  readonly problems: ReadonlyMap<string, string>;
}

export interface ControlProps extends EditorProps {
  readonly field: Field;
}

/** What a member is called: by its name, as a caller writes it, or as its schema words it for a person. */
export const MemberLabel = createContext<(name: string, schema: unknown) => string>((name) => name);

/** The control for any schema: how those with parts draw their parts. */
export const PartEditor = createContext<ComponentType<EditorProps & { readonly schema: unknown }>>(
  () => null,
);
