/** Files that Toolcrib writes into the folder of a skill. */
export const ARTIFACTS = Object.freeze({
  tools: 'dynamic_tools.json',
  lock: 'dynamic_tools.lock.json',
  report: 'dynamic_tools.report.json',
});

/** How files begin that become one of them. */
export const ARTIFACT_DRAFT = '.dynamic_tools-';

const OURS = new Set<string>(Object.values(ARTIFACTS));

/** What file managers and editors leave behind while somebody works. */
const LEFTOVER = /^(?:\.DS_Store|Thumbs\.db|desktop\.ini|\.#.*|#.*#|.*~|\..*\.sw[a-z])$/;

/** Of files: false for what Toolcrib itself writes and what editors leave behind. `top`: directly in the skill's folder. */
export function isCountedFile(name: string, top: boolean): boolean {
  if (top && (OURS.has(name) || name.startsWith(ARTIFACT_DRAFT))) return false;
  return !LEFTOVER.test(name);
}

/** Of folders: false for hidden ones (version control, caches) and what Python compiles. */
export function isCountedFolder(name: string): boolean {
  return !name.startsWith('.') && name !== '__pycache__';
}

/** Whether a name can stand in a package's list on every system. */
export function isPlainName(name: string): boolean {
  return !/[\u0000-\u001f\u007f\\\ufffd]/.test(name);
}
