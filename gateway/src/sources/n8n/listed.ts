import { trimEndsOf } from '../../operations/text/trim-runs.ts';
import { mergeAnnotations } from './annotation.ts';
import type { ListedWorkflow } from './config.ts';
import type { Reading } from './reading.ts';
import { pathTemplate, type Webhook } from './webhook.ts';

/** A workflow that the operator wrote down. */
export function readListed(reading: Reading, listed: ListedWorkflow): void {
  const { name, path, method, authentication, credential, responseMode, tags = [], ...annotation } = listed;
  try {
    // Written by hand, a path holds what n8n puts before its parameters already.
    const template = pathTemplate(trimEndsOf(path, '/'));
    const webhook: Webhook = {
      method: method ?? 'POST',
      path: template.path,
      parameters: template.names,
      authentication:
        authentication === undefined || authentication === 'none' ? 'none' : `${authentication}Auth`,
      credential,
      responseMode: responseMode ?? 'lastNode',
      responseData: 'firstEntryJson',
      acknowledges: false,
    };
    const workflow = { id: name, name, description: undefined, tags };
    const said = reading.sidecar.annotations(workflow, name);
    reading.add({ workflow, webhook, annotation: mergeAnnotations([annotation, ...said]) }, true);
  } catch (error) {
    reading.skip(error, name, undefined, { method: method ?? 'POST', path });
  }
}
