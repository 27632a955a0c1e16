import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { Finding } from './finding.ts';

/** Whether the web console is there to be served. */
export async function checkConsole(folder: string): Promise<Finding> {
  const check = 'console';
  return access(join(folder, 'index.html')).then(
    () => ({ check, status: 'ok', message: 'is built' }),
    () => ({
      check,
      status: 'warning',
      message:
        'The web console is not built: MCP and the HTTP API work, the address of the console shows no page.',
      next: 'In a checkout run `npm run build -w console`; `npm start` does it by itself.',
    }),
  );
}
