interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came
  readonly body: any;
}

/** A browser at one gateway: keeps cookies, shows the CSRF token, says where its requests come from. */
export function browserAt(gateway: string) {
  const cookies = new Map<string, string>();
  let csrf: string | undefined;
  const send = async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string | undefined> = {},
  ): Promise<Answer> => {
    const given: Record<string, string | undefined> = {
      ...(cookies.size === 0 ? {} : { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') }),
      ...(method === 'GET' ? {} : { origin: gateway }),
      ...(method === 'GET' || csrf === undefined ? {} : { 'x-csrf-token': csrf }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    };
    const response = await fetch(new URL(path, gateway), {
      method,
      redirect: 'manual',
      headers: Object.entries(given).filter((pair): pair is [string, string] => pair[1] !== undefined),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!;
      if (value === '') cookies.delete(name!);
      else cookies.set(name!, value!);
    }
    const text = await response.text();
    const json = /json/.test(response.headers.get('content-type') ?? '');
    const answered = json ? JSON.parse(text) : text;
    // a session that goes on under another secret has another token
    if (method === 'POST' && typeof answered?.csrf === 'string') csrf = answered.csrf;
    return { status: response.status, headers: response.headers, body: answered };
  };
  return {
    cookies,
    send,
    get csrf() {
      return csrf;
    },
    get: (path: string) => send('GET', path),
    signIn: (input: { readonly code: string } | { readonly token: string }): Promise<Answer> =>
      send('POST', '/api/v1/session', input),
    /** The same browser, as it comes back after a restart of the gateway or to another process of it. */
    at(other: string) {
      const there = browserAt(other);
      // the name of a cookie holds the port, which a gateway behind one address keeps
      const { port } = new URL(other);
      for (const [name, value] of cookies) there.cookies.set(name.replace(/_\d+$/, `_${port}`), value);
      return there;
    },
  };
}

export type Browser = ReturnType<typeof browserAt>;

/** Status and code of a refusal. */
export const refusal = ({ status, body }: Answer) => [status, body?.error?.code];
