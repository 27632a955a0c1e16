import { route } from '../../route.ts';
import { proxyResponse } from './proxy-response.ts';
import { PROXY_ANSWER, PROXY_FAILURE, PROXY_REQUEST } from './proxy-schemas.ts';

export const sendAtsProxyRequest = route({
  method: 'post',
  path: '/api/v1/ats/proxy',
  operationId: 'sendAtsProxyRequest',
  summary: 'Send a request to the connected applicant tracking system',
  description:
    "The request becomes a call on the operation that it means, with that operation's access. A provider's own refusal keeps its status.",
  access: 'dangerous',
  tag: 'proxy',
  body: PROXY_REQUEST,
  readsBody: true,
  response: { description: "The provider's answer.", schema: PROXY_ANSWER },
  failure: PROXY_FAILURE,
  handle: (_input, context) => proxyResponse(context, { category: 'ats' }),
});
