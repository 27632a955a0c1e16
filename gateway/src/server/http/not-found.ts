import { ERRORS, ToolcribError } from '../../errors.ts';
import { errorResponse } from './error-response.ts';
import { escaped, htmlPage, takesPage } from './html-page.ts';

/** What nobody serves: a page for a browser, the usual error for a program. */
export function notFound(request: Request, path: string, hasConsole: boolean): Response {
  const message = `There is no ${request.method} ${path}.`;
  if (!takesPage(request)) return errorResponse(new ToolcribError('not_found', message));
  return htmlPage({
    title: 'Not found',
    main: `<h1>There is nothing here</h1>
<p class="problem" role="alert">${escaped(message)}</p>
<p>The tools are at <code>/mcp</code>, the HTTP API is described at <a href="/api/v1/openapi.json">/api/v1/openapi.json</a>.</p>
${hasConsole ? '<p><a href="/">Go on to the console</a></p>' : ''}`,
    status: ERRORS.not_found.status,
  });
}
