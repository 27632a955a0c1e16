import type { SecretReference } from './credential-settings.ts';

/** Whether a value among others is written as a reference to a secret: its only key says where it is found. */
export function isWrittenReference(value: object): value is Exclude<SecretReference, string> {
  const [only, ...others] = Object.entries(value).filter(([, member]) => member !== undefined);
  if (only === undefined) return false;
  const [key, said] = only;
  if (key === 'command') {
    // the configuration says where the program runs
    const isAlone = others.length === 0 || (others.length === 1 && others[0]![0] === 'folder');
    return isAlone && Array.isArray(said) && said.every((word) => typeof word === 'string');
  }
  return others.length === 0 && (key === 'env' || key === 'file') && typeof said === 'string';
}
