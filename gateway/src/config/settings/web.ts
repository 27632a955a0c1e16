import { isWrittenReference } from '../../operations/secret-references.ts';
import { type SecretContext, withAbsoluteFile } from '../secrets.ts';

/** Settings of web providers with the files of their secrets made absolute. */
export function completeWebSettings(settings: unknown, context: SecretContext): unknown {
  if (Array.isArray(settings)) return settings.map((one) => completeWebSettings(one, context));
  if (settings === null || typeof settings !== 'object') return settings;
  if (isWrittenReference(settings)) return withAbsoluteFile(settings, context);
  const entries = Object.entries(settings).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries.map(([key, value]) => [key, completeWebSettings(value, context)]));
}

/**
 * Base URLs of APIs, which the operator named and the door therefore lets through. Sites in `allow` are for pages
 * only, and those have a door of their own.
 */
export function webDestinations(settings: unknown): string[] {
  if (Array.isArray(settings)) return settings.flatMap(webDestinations);
  if (settings === null || typeof settings !== 'object') return [];
  return Object.entries(settings).flatMap(([key, value]) =>
    /^(?:baseUrl|searchBaseUrl)$/.test(key) && typeof value === 'string' ? [value] : webDestinations(value),
  );
}
