import type { DomNode } from './dom-node.ts';

const MAX_COLUMNS = 30;
const MAX_ROWS = 2000;

/** A turndown rule: tables of data as pipe tables, tables made for layout as their text. */
export const tableRule = {
  filter: 'table',
  replacement(content: string, table: DomNode): string {
    const rows = [...table.querySelectorAll('tr')].slice(0, MAX_ROWS).map(cellsOf);
    const columns = Math.max(0, ...rows.map((row) => row.length));
    const nested = table.querySelector('table') !== null;
    if (nested || columns < 2 || columns > MAX_COLUMNS || rows.length < 2) return `\n\n${content.trim()}\n\n`;
    const [head, ...body] = rows.map((row) => line(row, columns));
    return `\n\n${[head, line(Array(columns).fill('---'), columns), ...body].join('\n')}\n\n`;
  },
};

function cellsOf(row: DomNode): string[] {
  return [...row.children]
    .filter(({ nodeName }) => nodeName === 'TD' || nodeName === 'TH')
    .map(({ textContent }) => (textContent ?? '').replace(/\s+/g, ' ').trim().replaceAll('|', '\\|'));
}

function line(cells: readonly string[], columns: number): string {
  return `| ${Array.from({ length: columns }, (_, index) => cells[index] ?? '').join(' | ')} |`;
}
