import { canonicalHash } from '../operations/index.ts';

/**
 * Equal settings have equal keys: what a source was opened with is compared with what is configured now. Kept for each
 * object, since it is asked for at every call.
 */
export function createSettingsKey<Settings extends object>(): (settings: Settings) => string {
  const keys = new WeakMap<Settings, string>();
  return (settings) => {
    let key = keys.get(settings);
    if (key === undefined) {
      // what is undefined counts as absent
      key = canonicalHash(JSON.parse(JSON.stringify(settings)));
      keys.set(settings, key);
    }
    return key;
  };
}
