import type { OutgoingRequest } from '../../egress/index.ts';
import type { TemplateInvocation } from '../../operations/index.ts';
import type { TemplateValues } from '../../templates/index.ts';
import { templateBody } from './template-body.ts';
import { templateHeaders } from './template-headers.ts';
import { templateUrl } from './template-url.ts';

/**
 * The request of a tool with its values in place, each encoded by where it stands. Secrets stand in headers only. Throws
 * `skill_invalid` for what no compiled tool says, `arguments_invalid`, `template_value_missing`.
 */
export function templateRequest(invocation: TemplateInvocation, values: TemplateValues): OutgoingRequest {
  const { secrets: _forHeadersOnly, ...open } = values;
  const { url } = templateUrl(invocation.url, open);
  const { headers, credentialHeaders } = templateHeaders(invocation, values);
  const named = (name: string) => headers.find(([header]) => header.toLowerCase() === name)?.[1];
  const content =
    invocation.body === undefined ? undefined : templateBody(invocation.body, named('content-type'), open);
  const accept = named('accept') === undefined ? [['accept', 'application/json, */*;q=0.5'] as const] : [];
  const type = content?.contentType === undefined ? [] : [['content-type', content.contentType] as const];
  return {
    method: invocation.method.toUpperCase(),
    url,
    headers: [...accept, ...type, ...headers],
    ...(content === undefined ? {} : { body: content.body }),
    ...(credentialHeaders.length === 0 ? {} : { credentialHeaders }),
  };
}
