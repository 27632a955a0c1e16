/** What goes out: text as it is, everything else as JSON; `body` undefined: none. */
export interface ArmAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** ARM's error envelope. */
export function armError(
  status: number,
  code: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): ArmAnswer {
  return { status, headers, body: { error: { code, message } } };
}

/** A right that the caller does not have. */
export function authorizationFailed(action: string, scope: string, objectId: string): ArmAnswer {
  return armError(
    403,
    'AuthorizationFailed',
    `The client with object id '${objectId}' does not have authorization to perform action '${action}' over scope ` +
      `'${scope}' or the scope is invalid. If access was recently granted, please refresh your credentials.`,
  );
}

export const invalidContent = (message: string): ArmAnswer => armError(400, 'InvalidRequestContent', message);
