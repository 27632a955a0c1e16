import { interrupt } from './interrupt.ts';

/** Lines of standard input, edited in place: a terminal that edits them itself cuts long ones (1,024 bytes on macOS). */
export function readLines(onLine: (line: string) => void): () => void {
  const { createInterface } = process.getBuiltinModule('node:readline');
  const reader = createInterface({ input: process.stdin, output: process.stderr, terminal: true });
  reader.on('line', onLine);
  reader.on('SIGINT', () => {
    reader.close();
    interrupt();
  });
  return () => reader.close();
}
