import { INEXACT, isExact } from '../../../components/json/exact-number.ts';
import { faultText, jsonFault } from '../../../components/json/json-fault.ts';
import { isSame, type Json } from '../../../components/json/json-values.ts';
import type { Control } from './field.ts';

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** Controls that hold their value as one text. */
export type TextControl = Extract<
  Control,
  { readonly kind: 'text' | 'number' | 'boolean' | 'choice' | 'json' }
>;

/** What a control shows for a value; the empty text for what is not there. */
export function textOfValue(control: TextControl, value: Json | undefined): string {
  if (value === undefined) return '';
  switch (control.kind) {
    case 'text':
    case 'number':
      return typeof value === 'string' ? value : JSON.stringify(value);
    case 'boolean':
      return JSON.stringify(value);
    case 'choice':
      return String(control.options.findIndex((option) => isSame(option, value)));
    case 'json':
      return JSON.stringify(value, undefined, 2);
  }
}

/**
 * The value that a text means; undefined: none. Text that is no number, or one that would lose digits, stays text: a
 * form that swallows what somebody typed is worse. Throws SyntaxError for a JSON field that is no JSON.
 */
export function valueOfText(control: TextControl, text: string): Json | undefined {
  switch (control.kind) {
    case 'text':
      return text === '' ? undefined : text;
    case 'number': {
      const trimmed = text.trim();
      if (trimmed === '') return undefined;
      return NUMBER.test(trimmed) && Number.isFinite(Number(trimmed)) && isExact(trimmed)
        ? Number(trimmed)
        : text;
    }
    case 'boolean':
      return text === '' ? undefined : text === 'true';
    case 'choice':
      return text === '' ? undefined : control.options[Number(text)];
    case 'json': {
      if (text.trim() === '') return undefined;
      const fault = jsonFault(text);
      if (fault !== undefined) throw new SyntaxError(faultText(fault));
      return JSON.parse(text) as Json;
    }
  }
}

/** What is wrong with a typed text before it is sent; undefined: nothing that can be seen here. */
export function faultOfText(control: TextControl, value: Json | undefined): string | undefined {
  if (control.kind === 'number' && typeof value === 'string' && !isExact(value.trim())) return INEXACT;
  if (control.kind === 'number' && value !== undefined && typeof value !== 'number') return 'Is no number.';
  if (control.kind === 'number' && control.integer && typeof value === 'number' && !Number.isInteger(value))
    return 'Is no whole number.';
  return undefined;
}
