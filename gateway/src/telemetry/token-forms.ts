/**
 * Tokens that their issuers gave a form of their own, so that they are found anywhere: ours (keys, approver token, links
 * to approvals), GitHub, GitLab, Slack, Anthropic, OpenAI, Stripe, Google, npm, Hugging Face, DigitalOcean, SendGrid
 * and Standard Webhooks. Lengths are the issuers'; what is shorter is no token.
 */
const FORMS = [
  'tck_[0-9A-Za-z]{30,}',
  'tca_[\\w-]{43}',
  'approve/[\\w-]{72}',
  'gh[pousr]_[0-9A-Za-z]{36,}',
  'github_pat_\\w{22,}',
  'glpat-[\\w-]{20,}',
  'xox[abeoprs]-[\\w-]{10,}',
  'sk-ant-[\\w-]{20,}',
  'sk-(?:proj-|svcacct-|admin-)[\\w-]{20,}',
  'sk-[0-9A-Za-z]{32,}',
  '[rs]k_(?:live|test)_[0-9A-Za-z]{16,}',
  'AIza[\\w-]{35}',
  'npm_[0-9A-Za-z]{36}',
  'hf_[0-9A-Za-z]{30,}',
  'dop_v1_[0-9a-f]{64}',
  'SG\\.[\\w-]{16,}\\.[\\w-]{16,}',
  'whsec_[0-9A-Za-z+/]{24,}={0,2}',
];

const TOKEN = new RegExp(`(?<![0-9A-Za-z_])(?:${FORMS.join('|')})`, 'g');
/** Cheap and wide, as part of a larger pattern: a text without it holds none of them. */
export const TOKEN_MARKS =
  'tc[ka]_|approve/|gh[pousr]_|github_pat_|glpat-|xox[a-z]-|sk-|[rs]k_|AIza|npm_|hf_|dop_v1_|SG\\.|whsec_';

/** First and after of each token in the text. */
export function* issuedTokens(text: string): Generator<readonly [first: number, after: number]> {
  for (const { 0: token, index } of text.matchAll(TOKEN)) yield [index, index + token.length];
}
