import { ToolcribError } from '../../errors.ts';
import { errorResponse } from '../http/error-response.ts';
import { htmlPage, takesPage } from '../http/html-page.ts';

const NEXT = 'In a checkout run `npm run build -w console`, then load the page again.';
const MAIN = `<h1>The console is not built</h1>
<p>This gateway runs, but the files of its console are not there.</p>
<p>In a checkout run <code>npm run build -w console</code>, then load this page again.</p>
<p>Everything else works without it: the tools are at <code>/mcp</code>, the HTTP API is described at
<a href="/api/v1/openapi.json">/api/v1/openapi.json</a>.</p>`;

/** What stands at `/` where there is no console: words for a person, the usual error for a program. */
export function consoleNotBuilt(request: Request): Response {
  if (!takesPage(request))
    return errorResponse(new ToolcribError('not_found', 'The console is not built.', { next: NEXT }));
  return htmlPage({ title: 'Toolcrib', main: MAIN, status: 404 });
}
