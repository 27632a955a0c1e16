import { isObject } from '../../operations/index.ts';
import type { HintsSettings, PermissionSettings } from './options.ts';

/** A source as the configuration holds it: its description needs some of what stands beside its kind's own key. */
export interface ConfiguredSource {
  readonly kind: string;
  readonly settings: unknown;
  readonly hints?: HintsSettings | undefined;
  readonly permissions?: PermissionSettings | undefined;
}

/** What a source is described with: its settings, for documents with hints and permissions; the same value where nothing is added. */
export function settingsOfSource({ kind, settings, hints, permissions }: ConfiguredSource): unknown {
  if (kind !== 'openapi' || (hints === undefined && permissions === undefined)) return settings;
  const own = typeof settings === 'string' ? { document: settings } : settings;
  if (!isObject(own)) return settings;
  const { enabled, extension, scopes } = permissions ?? { enabled: false };
  return {
    ...own,
    ...(hints === undefined ? {} : { hints }),
    ...(permissions === undefined ? {} : { permissions: { enabled, extension, scopes } }),
  };
}
