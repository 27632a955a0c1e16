import { isObject } from '../operations/index.ts';
import type { SourceConfiguration } from './configuration.ts';

/** Where a kind's own settings say that the source is: a document, or a service that describes itself. */
export function documentAddresses({ settings }: Pick<SourceConfiguration, 'settings'>): readonly string[] {
  const named = isObject(settings) ? [settings['document'], settings['url'], settings['file']] : [settings];
  return named.filter((address) => typeof address === 'string');
}
