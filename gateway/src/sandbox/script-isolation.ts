import type { SkillMode } from '../operations/index.ts';
import { isolationInForce, isolationText } from './isolation-in-force.ts';

/** How programs of skills run on this machine under a mode, in one line for people. */
export async function scriptIsolation(mode: SkillMode): Promise<string> {
  if (mode === 'permissive') return 'none, since policy.skills.mode is permissive';
  const isolation = await isolationInForce();
  if (isolation.available) return isolationText(isolation);
  const without =
    mode === 'strict' ? 'scripts are refused (mode strict)' : 'scripts run in a process group alone';
  return `none: ${isolationText(isolation)}; ${without}`;
}
