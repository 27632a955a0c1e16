import { spawn } from 'node:child_process';
import { canOpenBrowser } from '../../credentials/azure/can-open-browser.ts';
import type { Terminal } from './terminal.ts';

/** Opens a page in the person's browser. False where none can be opened here, or its program is missing. */
export async function openBrowser(url: string, { env, platform }: Terminal): Promise<boolean> {
  if (!canOpenBrowser(env, platform)) return false;
  const [program, ...words] = opener(platform, env['BROWSER']);
  const child = spawn(program!, [...words, url], {
    env: env as NodeJS.ProcessEnv,
    stdio: 'ignore',
    detached: true,
    windowsHide: true,
  });
  return new Promise((resolve) => {
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}

function opener(platform: NodeJS.Platform, named: string | undefined): string[] {
  if (named !== undefined && named !== '') return [named];
  if (platform === 'darwin') return ['open'];
  return platform === 'win32' ? ['rundll32', 'url.dll,FileProtocolHandler'] : ['xdg-open'];
}
