export interface Place {
  readonly row: number;
  readonly column: number;
}

/** Where a key leads in a grid (ARIA Authoring Practices, grid); undefined: the key is none of its. */
export function placeAfter(
  key: string,
  control: boolean,
  { row, column }: Place,
  size: { readonly rows: number; readonly columns: number },
): Place | undefined {
  const last = { row: size.rows - 1, column: size.columns - 1 };
  switch (key) {
    case 'ArrowUp':
      return { row: Math.max(0, row - 1), column };
    case 'ArrowDown':
      return { row: Math.min(last.row, row + 1), column };
    case 'ArrowLeft':
      return { row, column: Math.max(0, column - 1) };
    case 'ArrowRight':
      return { row, column: Math.min(last.column, column + 1) };
    case 'PageUp':
      return { row: Math.max(0, row - 10), column };
    case 'PageDown':
      return { row: Math.min(last.row, row + 10), column };
    case 'Home':
      return { row: control ? 0 : row, column: 0 };
    case 'End':
      return { row: control ? last.row : row, column: last.column };
    default:
      return undefined;
  }
}
