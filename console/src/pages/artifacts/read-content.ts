import type { ContentKind } from './content-kind.ts';
import { readCsv } from './csv.ts';
import type { ArtifactBytes } from './queries.ts';
import { csvTable, type Table, tableOf } from './table-of.ts';

/** A text, and what else it can be read as. */
export interface Content {
  readonly text: string;
  /** Present: it is JSON, whole. */
  readonly json?: { readonly value: unknown };
  readonly table?: Table;
  /** Its content type says JSON, and it is whole, and it is none. */
  readonly notJson: boolean;
}

/** UTF-8; a character that was cut at the end is left out. */
export function readContent(kind: ContentKind, { bytes, whole }: ArtifactBytes): Content {
  const text = new TextDecoder('utf-8').decode(bytes, { stream: !whole });
  if (kind === 'csv') {
    const table = csvTable(readCsv(text, { cut: !whole }));
    return { text, notJson: false, ...(table === undefined ? {} : { table }) };
  }
  // a tool that answers with text mostly means JSON
  const likely = kind === 'json' || /^\s*[[{]/.test(text);
  if (!likely || !whole) return { text, notJson: false };
  try {
    const value: unknown = JSON.parse(text);
    const table = tableOf(value);
    return { text, notJson: false, json: { value }, ...(table === undefined ? {} : { table }) };
  } catch {
    return { text, notJson: kind === 'json' };
  }
}
