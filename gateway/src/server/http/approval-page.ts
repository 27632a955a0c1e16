import { isDeepStrictEqual } from 'node:util';
import { asToolcribError, ERRORS, ToolcribError } from '../../errors.ts';
import type { GatewayCore } from '../../gateway-core.ts';
import { type ApprovalDecision, isObject, type JsonObject } from '../../operations/index.ts';
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
    if (request.method !== 'POST' || approval.state !== 'pending') {
      return page({ card: approval.card, preview: approval.preview, always: always(approval.standing) });
    }
    const read = readForm(await readBodyText(request, maxBytes), request, approval.preview);
    if ('problem' in read) {
      const content = { card: approval.card, preview: approval.preview, always: always(approval.standing) };
      return page({ ...content, ...read }, 400);
    }
    const { card } = await approvals.decideLinked(token, read);
    return page({ card });
  } catch (thrown) {
    const error = asToolcribError(thrown);
    return page({ problem: `${error.message} ${error.next}` }, ERRORS[error.code].status);
  }
}

/** What is wrong with a form, and the arguments that stood in it. */
type Slip = Required<Pick<PageContent, 'problem'>> & Pick<PageContent, 'written'>;

/** The decision of a form whose person was `shown` these arguments. A choice that cannot be read rejects. */
function readForm(body: string | undefined, request: Request, shown: JsonObject): ApprovalDecision | Slip {
  const type = request.headers.get('content-type') ?? '';
  if (body === undefined || !/^application\/x-www-form-urlencoded\b/i.test(type)) {
    return { problem: 'The form could not be read.' };
  }
  const fields = new URLSearchParams(body);
  const reason = fields.get('reason')?.trim();
  const written = fields.get('arguments') ?? '';
  const decision = fields.get('decision');
  switch (decision) {
    case 'approve':
    case 'approve_always':
      if (written === '' || isDeepStrictEqual(parsedObject(written), shown)) return { decision };
      return {
        problem:
          'The arguments were edited, and the choice was to approve them as they were. Choose “Approve with these arguments”, or open this page again.',
        written,
      };
    case 'edit': {
      const args = parsedObject(written);
      return args === undefined
        ? { problem: 'The edited arguments are no JSON object.', written }
        : { decision, arguments: args };
    }
    default:
      return { decision: 'reject', ...(reason === undefined || reason === '' ? {} : { reason }) };
  }
}

function parsedObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
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
