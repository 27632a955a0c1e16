import { asToolcribError, ERRORS, isToolcribError, ToolcribError } from '../../errors.ts';
import type { GatewayCore } from '../../gateway-core.ts';
import { readBodyText } from '../body-text.ts';
import { approvalHtml, type PageContent } from './approval-html.ts';
import { htmlPage } from './html-page.ts';

/**
 * The page behind a one-time link: GET shows the card and changes nothing, so that whatever looks at links decides
 * nothing; POST decides. The link is the credential.
 */
export async function serveApprovalPage(
  gateway: Pick<GatewayCore, 'approvals'>,
  request: Request,
  token: string,
  maxBytes: number,
): Promise<Response> {
  try {
    if (gateway.approvals === undefined) {
      throw new ToolcribError('not_found', 'This gateway keeps no approvals.');
    }
    const approvals = await gateway.approvals();
    const approval = await approvals.linked(token);
    const open = { card: approval.card, preview: approval.preview, always: always(approval.standing) };
    if (request.method !== 'POST' || approval.state !== 'pending') return page(open);
    const form = formIn(await readBodyText(request, maxBytes), request);
    if (form === undefined) return page({ ...open, problem: 'The form could not be read.' }, 400);
    try {
      const { card } = await approvals.decideLinked(token, form);
      return page({ card });
    } catch (error) {
      if (!isToolcribError(error) || error.code !== 'arguments_invalid') throw error;
      return page({ ...open, problem: `${error.message} ${MEND}`, written: form.arguments }, 400);
    }
  } catch (thrown) {
    const error = asToolcribError(thrown);
    return page({ problem: `${error.message} ${error.next}` }, ERRORS[error.code].status);
  }
}

const MEND =
  'Nothing is decided yet: mend the arguments and choose “Approve with these arguments”, or open this page again.';

/** The fields of a form; undefined: it is none. */
function formIn(body: string | undefined, request: Request) {
  const type = request.headers.get('content-type') ?? '';
  if (body === undefined || !/^application\/x-www-form-urlencoded\b/i.test(type)) return undefined;
  const fields = new URLSearchParams(body);
  return {
    decision: fields.get('decision'),
    arguments: fields.get('arguments') ?? '',
    reason: fields.get('reason')?.trim(),
  };
}

function always(standing: string): string | undefined {
  if (standing === 'tool') return 'Approve every later call of this tool, too';
  return standing === 'arguments' ? 'Approve every later call with these arguments, too' : undefined;
}

function page(content: PageContent, status = 200): Response {
  const { card } = content;
  return htmlPage({
    title: card?.title ?? 'Approval',
    main: approvalHtml(content),
    status,
    ...(card === undefined ? {} : { variant: card.variant }),
  });
}
