import { isObject } from '../../components/json/json-values.ts';

/** A table as it is drawn: cells are text. */
export interface Table {
  readonly columns: readonly string[];
  readonly rows: ReadonlyArray<readonly string[]>;
}

const MOST_COLUMNS = 60;
/** Nothing is inside. */
const FLAT = (value: unknown): boolean => typeof value !== 'object' || value === null;

/** A list of flat objects as a table; undefined for everything else. */
export function tableOf(value: unknown): Table | undefined {
  const list = listIn(value);
  if (list === undefined) return undefined;
  const names = new Set<string>();
  for (const item of list) {
    if (!isObject(item) || !Object.values(item).every(FLAT)) return undefined;
    for (const name of Object.keys(item)) names.add(name);
  }
  if (names.size === 0 || names.size > MOST_COLUMNS) return undefined;
  const columns = [...names];
  return {
    columns,
    rows: (list as Record<string, unknown>[]).map((item) =>
      columns.map((name) => (Object.hasOwn(item, name) ? cellOf(item[name]) : '')),
    ),
  };
}

/** Separated values: the first row names the columns. */
export function csvTable(rows: readonly string[][]): Table | undefined {
  const [columns, ...rest] = rows;
  return columns === undefined ? undefined : { columns, rows: rest };
}

/** The list itself, or the only list of an object such as `{ "items": […], "total": 2 }`. */
function listIn(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value;
  if (!isObject(value)) return undefined;
  const lists = Object.values(value).filter((member) => Array.isArray(member));
  const [list] = lists;
  return lists.length === 1 && list!.length > 0 ? list : undefined;
}

function cellOf(value: unknown): string {
  return value === null ? 'null' : String(value);
}
