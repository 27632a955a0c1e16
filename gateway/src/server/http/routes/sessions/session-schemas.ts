import { z } from 'zod';
import type { Principal } from '../../../../operations/index.ts';
import { VERSION } from '../../../../version.ts';
import type { GatewayAdmin } from '../../admin/gateway-admin.ts';
import { decidesNow } from '../../decider-of.ts';
import { profileOf } from '../../profile-of.ts';
import type { Sessions } from '../../sessions/create-sessions.ts';
import { OPENED_WITH } from '../../sessions/opened-with.ts';
import type { Session } from '../../sessions/session.ts';

const PRINCIPAL = z.object({
  id: z.string(),
  kind: z.enum(['local', 'token', 'user']),
  name: z.string().optional(),
  organisation: z.string().optional(),
  roles: z.array(z.string()),
});

export const SESSION = z.object({
  mode: z
    .enum(['open', 'token', 'team'])
    .describe('How callers are let in: none is asked who they are; one token; keys and sign-in tokens.'),
  signedIn: z.boolean(),
  provider: z
    .object({ name: z.string() })
    .optional()
    .describe('Where people sign in with a browser: at /sign-in/provider.'),
  kind: z
    .enum(['owner', 'token', 'user', 'approver'])
    .optional()
    .describe('Whose session it is, and what it is for.'),
  openedWith: z
    .enum(OPENED_WITH)
    .optional()
    .describe('sign-in: a token that was shown; provider: at the identity provider, by a person.'),
  principal: PRINCIPAL.optional().describe('Who asks; absent where nobody showed anything.'),
  approver: z
    .object({
      is: z.boolean().describe('With a credential made for deciding, too, this user would decide.'),
      roles: z.array(z.string()).describe('Whose holders decide.'),
    })
    .optional()
    .describe('Of a user: who decides about calls of others. Absent where nobody keeps approvals.'),
  csrf: z.string().optional().describe('To be sent as `x-csrf-token` with whatever changes something.'),
  expiresAt: z.string().optional().describe('ISO 8601; the session may end earlier when nobody uses it.'),
  can: z.object({
    decide: z
      .boolean()
      .describe('Approvals: what the session holds is made for it, and its user is an approver now.'),
    operate: z.boolean().describe('What concerns the whole gateway.'),
    own: z.boolean().describe('What lets its caller run programs or change definitions.'),
    administer: z.boolean().describe("The organisation's users, keys and levels."),
  }),
  gateway: z.object({ name: z.string(), version: z.string() }),
});

export const TOKEN = z
  .string()
  .min(1)
  .max(16_384)
  .describe("The server's token, an API key, a sign-in token or the approver token.");

interface SessionContext {
  readonly gateway: GatewayAdmin;
  readonly sessions: Pick<Sessions, 'mode' | 'provider'>;
}

/** Who asks and what this caller can do, for a page to show; every route decides for itself. */
export async function sessionView(
  { gateway, sessions: { mode, provider } }: SessionContext,
  session: Session | undefined,
  asking: Principal,
): Promise<z.infer<typeof SESSION>> {
  const principal = session?.principal ?? asking;
  const anybody = session !== undefined || principal.kind !== 'user' || principal.organisation !== undefined;
  const operate = principal.kind !== 'user' && principal.purpose === undefined;
  const roles = principal.kind === 'user' && anybody ? (await profileOf(gateway, principal)).roles : [];
  return {
    mode,
    signedIn: session !== undefined,
    ...(provider === undefined ? {} : { provider: { name: provider.name } }),
    ...(session === undefined
      ? {}
      : {
          kind: session.kind,
          openedWith: session.openedWith,
          csrf: session.csrf,
          expiresAt: new Date(session.expiresAt).toISOString(),
        }),
    ...(anybody ? { principal: await shownPrincipal(gateway, principal, roles) } : {}),
    ...(anybody && principal.kind === 'user' ? await approverView(gateway, principal, roles) : {}),
    can: {
      decide: session !== undefined && (await decidesNow(gateway, { principal, session })),
      operate,
      own: session?.kind === 'owner',
      administer: operate || (principal.purpose === undefined && roles.includes('admin')),
    },
    gateway: { name: gateway.configuration.name, version: VERSION },
  };
}

/** Whether the roles are enough is one question, whether the credential is another: `can.decide` answers both. */
async function approverView({ approvals }: GatewayAdmin, principal: Principal, roles: readonly string[]) {
  if (approvals === undefined) return {};
  const records = await approvals();
  const is = records.mayDecide({ kind: 'user', principal, roles });
  return { approver: { is, roles: [...records.approvers()] } };
}

async function shownPrincipal(gateway: GatewayAdmin, principal: Principal, roles: readonly string[]) {
  const { id, kind, organisation } = principal;
  const name = kind === 'user' ? await nameOf(gateway, principal) : undefined;
  return {
    id,
    kind,
    ...(name === undefined ? {} : { name }),
    ...(organisation === undefined ? {} : { organisation }),
    roles: [...roles],
  };
}

/** Undefined where the directory does not say: an id will do. */
async function nameOf({ directory }: GatewayAdmin, principal: Principal): Promise<string | undefined> {
  try {
    return (await directory?.users.get(principal, principal.id))?.name;
  } catch {
    return undefined;
  }
}
