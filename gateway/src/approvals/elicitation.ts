import {
  type ApprovalDecision,
  type InputRequest,
  isObject,
  type Json,
  type JsonObject,
} from '../operations/index.ts';
import { jsonEscape } from '../operations/text/json-escape.ts';
import { cardOf } from './card.ts';
import { readFormDecision } from './decision.ts';
import type { StoredApproval } from './records.ts';

/** Key of our one question in an InputRequiredResult. */
export const QUESTION = 'approval';

/** How this client can ask its person; undefined: it cannot. An empty capability means forms (MCP, elicitation). */
export function waysToAsk(capabilities: JsonObject | undefined): { form: boolean; url: boolean } | undefined {
  const elicitation = capabilities?.['elicitation'];
  if (!isObject(elicitation)) return undefined;
  const url = isObject(elicitation['url']);
  return { form: isObject(elicitation['form']) || !url, url };
}

/** The card as a form with one choice, and the arguments as JSON text for who edits them. */
export function formQuestion(approval: StoredApproval): InputRequest {
  const ofSkill = approval.standing === 'skill';
  const decisions: Array<readonly [string, string]> = [
    ['approve', ofSkill ? APPROVE_SKILL : 'Approve this call'],
    ['edit', `Approve ${ofSkill ? 'this call alone, ' : ''}with the edited arguments`],
    ['reject', 'Reject'],
    ...ALWAYS[approval.standing],
  ];
  return {
    method: 'elicitation/create',
    params: {
      mode: 'form',
      message: messageOf(approval),
      requestedSchema: {
        type: 'object',
        properties: {
          decision: {
            type: 'string',
            title: 'Decision',
            oneOf: decisions.map(([value, title]) => ({ const: value, title })),
          },
          [EDITED]: {
            type: 'string',
            title: 'Arguments',
            description: 'As JSON, to be edited. What you leave as shown stays as it was called.',
            ...shownArguments(approval),
          },
        },
        required: ['decision'],
      },
    },
  };
}

/** The address of the page with the card, which the client opens for its person. */
export function urlQuestion(approval: StoredApproval, url: string): InputRequest {
  return {
    method: 'elicitation/create',
    params: { mode: 'url', message: messageOf(approval), url, elicitationId: approval.id },
  };
}

export type Answer =
  | { readonly kind: 'decision'; readonly decision: ApprovalDecision }
  /** The person opened the page; what they decide comes from there. */
  | { readonly kind: 'opened' }
  /** Closed without a choice. */
  | { readonly kind: 'dismissed' }
  /** No answer to our question. */
  | { readonly kind: 'none' };

/**
 * What the client's person said, who was `shown` these arguments. An accepted form that cannot be read is a rejection; so
 * is a refusal to answer.
 */
export function readAnswer(
  responses: JsonObject | undefined,
  asked: 'form' | 'url',
  shown: JsonObject,
): Answer {
  const response = responses !== undefined && Object.hasOwn(responses, QUESTION) ? responses[QUESTION] : null;
  if (!isObject(response)) return { kind: 'none' };
  const content: Json | undefined = response['content'];
  switch (response['action']) {
    case 'accept':
      return asked === 'url'
        ? { kind: 'opened' }
        : { kind: 'decision', decision: decisionIn(isObject(content) ? content : {}, shown) };
    case 'cancel':
      return { kind: 'dismissed' };
    default:
      return { kind: 'decision', decision: { decision: 'reject' } };
  }
}

const APPROVE_SKILL = 'Approve this and every later call of tools of this skill in this version';
const ALWAYS: Readonly<Record<StoredApproval['standing'], ReadonlyArray<readonly [string, string]>>> =
  Object.freeze({
    tool: [['approve_always', 'Approve this and every later call of the tool']],
    arguments: [['approve_always', 'Approve this and every later call with the same arguments']],
    never: [],
    skill: [],
  });

/** Codex shows the fields of a form in the order of their names: the choice first. */
const EDITED = 'edited';

function decisionIn({ decision, [EDITED]: edited }: JsonObject, shown: JsonObject): ApprovalDecision {
  return readFormDecision({ decision, arguments: edited }, shown);
}

/** What is called and with what comes first: there are clients that show three lines. */
function messageOf(approval: StoredApproval): string {
  const { title, description, metadata } = cardOf(approval);
  const rows = metadata.map(({ key, value }) => `${key}: ${value}`);
  // no argument bears this name
  const ours = metadata.findIndex(({ key }) => key === 'operation');
  return [title, ...rows.slice(0, ours), description, ...rows.slice(ours)].join('\n');
}

/** Characters of arguments that a field of a form still shows well. */
const MOST_ARGUMENTS = 2_000;

/** The arguments as a field begins with them; nothing in them moves the cursor or hides a part. */
function shownArguments({ preview }: StoredApproval): { default?: string } {
  const text = JSON.stringify(preview).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, jsonEscape);
  return text.length > MOST_ARGUMENTS ? {} : { default: text };
}
