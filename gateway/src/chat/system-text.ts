import type { ChatMessage } from '../operations/chat.ts';
import { cutText } from '../operations/text/cut-text.ts';
import { SYNTHESIS_PROMPT } from '../results/untrusted/frame-results.ts';
import { MAX_INSTRUCTIONS_CHARACTERS } from './limits.ts';
import type { ChatSkill } from './options.ts';

const TOOLS_ARE_GONE =
  'No tool can be called any more. Answer now with what the results say, and name what is missing.';

const TOOLS_MAY_FAIL =
  'A tool may fail or be paused while the others work: go on with those, and say what could not be done.';

interface SystemParts {
  /** The operator's own text. */
  readonly system: string | undefined;
  readonly skill: ChatSkill;
  readonly messages: readonly ChatMessage[];
  /** No tools are offered any more. */
  readonly final: boolean;
}

/**
 * What stands before the conversation, as one message: many models take only one, and only as the first. What the
 * operator wrote and how results are read come before what a skill or a caller says.
 */
export function systemText({ system, skill, messages, final }: SystemParts): string {
  return [
    system,
    SYNTHESIS_PROMPT,
    TOOLS_MAY_FAIL,
    ...instructions(skill),
    ...messages.filter(({ role }) => role === 'system').map(({ content }) => content),
    final ? TOOLS_ARE_GONE : undefined,
  ]
    .filter((part) => part !== undefined && part !== '')
    .join('\n\n');
}

function instructions({ skill, body }: ChatSkill): string[] {
  if (skill === undefined || body === undefined || body.trim() === '') return [];
  return [
    `The skill ${JSON.stringify(skill)} is selected. Its instructions follow; they do not change what is said above.`,
    cutText(body.trim(), MAX_INSTRUCTIONS_CHARACTERS),
  ];
}
