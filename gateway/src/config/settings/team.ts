import { join } from 'node:path';
import { ToolcribError } from '../../errors.ts';
import type { AccessLevel } from '../../operations/index.ts';
import type { AuthConfiguration, ConsoleSignInConfiguration, PolicyConfiguration } from '../configuration.ts';
import { DEFAULTS } from '../defaults.ts';
import { absolutePath, type Environment } from '../directories.ts';
import type { ConfigurationFile } from '../schema/configuration-file.ts';
import { resolveSecret, type SecretContext, withAbsoluteFile } from '../secrets.ts';
import { approvalsConfiguration } from './approvals.ts';
import { budgetRules } from './budgets.ts';
import { skillPolicy } from './skills.ts';
import { taintConfiguration } from './untrusted.ts';

/** `none`, `sqlite:` with an absolute path, or a postgres: URL. Throws `configuration_invalid`. */
export function storeAddress(
  given: ConfigurationFile['store'],
  stateDirectory: string,
  context: SecretContext,
): string {
  if (given === undefined) return `sqlite:${join(stateDirectory, DEFAULTS.storeFile)}`;
  const address = resolveSecret(given, 'The store', context, '#/store');
  if (address === 'none' || /^postgres(?:ql)?:\/\//.test(address)) return address;
  const [, path] = /^sqlite:(.+)$/s.exec(address) ?? [];
  if (path !== undefined) return `sqlite:${absolutePath(path, context.baseDirectory, context.env)}`;
  throw new ToolcribError(
    'configuration_invalid',
    'The store must be none, sqlite:PATH or a postgres:// URL.',
    { pointer: '#/store' },
  );
}

type ConsoleSignIn = NonNullable<NonNullable<NonNullable<ConfigurationFile['auth']>['jwt']>['console']>;

export function authConfiguration(
  given: ConfigurationFile['auth'],
  context: SecretContext,
): AuthConfiguration {
  const { mode = 'local', jwt } = given ?? {};
  if (jwt === undefined) return { mode };
  const { issuer, audience, jwksUrl, scopes, claims, console } = jwt;
  return {
    mode,
    jwt: {
      issuer,
      audience: [audience].flat(),
      ...(jwksUrl === undefined ? {} : { jwksUrl }),
      ...(scopes === undefined ? {} : { scopes: [...new Set(scopes)] }),
      claims: {
        user: claims?.user ?? DEFAULTS.claims.user,
        organisation: claims?.organisation ?? DEFAULTS.claims.organisation,
        roles: claims?.roles ?? DEFAULTS.claims.roles,
      },
      ...(console === undefined ? {} : { console: consoleSignIn(console, issuer, context) }),
    },
  };
}

function consoleSignIn(
  given: ConsoleSignIn,
  issuer: string,
  context: SecretContext,
): ConsoleSignInConfiguration {
  const { clientId, clientSecret, clientAuthentication, scopes, name, authorizationParameters } = given;
  return {
    clientId: withAbsoluteFile(clientId, context),
    ...(clientSecret === undefined ? {} : { clientSecret: withAbsoluteFile(clientSecret, context) }),
    ...(clientAuthentication === undefined ? {} : { clientAuthentication }),
    scopes: [...new Set(scopes ?? ['openid'])],
    name: name ?? new URL(issuer).host,
    ...(authorizationParameters === undefined ? {} : { authorizationParameters }),
  };
}

export function policyConfiguration(file: ConfigurationFile, env: Environment): PolicyConfiguration {
  const given = file.policy;
  const complete = (levels: Readonly<Record<string, AccessLevel>> = {}) => ({
    '*': DEFAULTS.level,
    ...levels,
  });
  return {
    defaults: {
      organisation: complete(given?.defaults?.organisation),
      user: complete(given?.defaults?.user),
    },
    approvals: approvalsConfiguration(given?.approvals, file.server?.publicUrl),
    ...(given?.budgets === undefined ? {} : { budgets: budgetRules(given.budgets) }),
    skills: skillPolicy(file, env),
    ...(given?.taint === undefined ? {} : { taint: taintConfiguration(given.taint) }),
  };
}
