import { ToolcribError } from '../../errors.ts';
import type { OpenAzureTokens } from './azure-tokens.ts';
import { tokenClaims } from './token-claims.ts';

const TOKEN_VARIABLE = 'ARM_MCP_AUTH_TOKEN';

interface VariableTokensOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly announce: (secret: string) => void;
  readonly now: () => number;
  readonly scope: string;
}

/** The token of the environment, read at every need: somebody else may renew it. What is no JWT is taken as it is. */
export function createVariableTokens({ env, announce, now, scope }: VariableTokensOptions): OpenAzureTokens {
  const read = (): string | undefined => env[TOKEN_VARIABLE]?.trim().replace(/^Bearer\s+/i, '');
  return {
    async token(signal) {
      signal.throwIfAborted();
      const value = read();
      if (value === undefined || value === '') {
        throw missing(`${TOKEN_VARIABLE} environment variable is not set.`, scope);
      }
      announce(value);
      if (!/^[\x21-\x7e]+$/.test(value)) {
        throw missing(`${TOKEN_VARIABLE} holds no token: it has spaces, or characters beyond ASCII.`, scope);
      }
      const { expiresAt } = tokenClaims(value);
      if (expiresAt !== undefined && expiresAt <= now()) {
        throw missing(
          `The token in ${TOKEN_VARIABLE} expired at ${new Date(expiresAt).toISOString()}.`,
          scope,
        );
      }
      return { value, claims: () => tokenClaims(value) };
    },
    refused: (value) => read() !== value,
    close: () => undefined,
  };
}

function missing(message: string, scope: string): ToolcribError {
  const resource = scope.replace(/\/+\.default$/, '');
  const command = `az account get-access-token --resource ${resource} --query accessToken --output tsv`;
  return new ToolcribError('credentials_missing', message, {
    next: `Set ${TOKEN_VARIABLE} to a token for Azure Resource Manager, e.g. that of \`${command}\`, and start again; or choose another authentication.`,
  });
}
