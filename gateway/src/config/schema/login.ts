import { z } from 'zod';
import { sentHeaderName } from '../../operations/http/header-shapes.ts';
import { JSON_POINTER } from '../../operations/json/pointer.ts';
import { closed, isHttpUrl, lifetime, secret, text } from './values.ts';

/** Name and password. */
export const basic = closed({
  username: secret,
  password: z.union([secret, z.literal('')]).describe('Empty where an API key is the user name.'),
});

/** A member of a JSON body: secrets stand in it as references. */
const bodyValue: z.ZodType = z
  .lazy(() =>
    z.union([
      secret,
      z.literal(''),
      z.number(),
      z.boolean(),
      z.null(),
      z.array(bodyValue),
      z.record(text, bodyValue),
    ]),
  )
  .meta({ id: 'loginValue' });

/** A status that is answered for many reasons says nothing alone. */
const end = closed({
  status: z
    .int()
    .min(200, 'Must be a status from 200 to 599.')
    .max(599, 'Must be a status from 200 to 599.')
    .refine((status) => status !== 401, 'A 401 says so anyway: leave it out.')
    .describe('One from 400 to 499 may stand alone.'),
  body: z
    .record(
      z.string().regex(JSON_POINTER, 'Must be a JSON Pointer, such as /error/code.'),
      z.union([z.string(), z.number(), z.boolean()]),
    )
    .refine(
      (members) => Object.keys(members).length > 0,
      'Name what stands in the answer, such as { /code: 209 }.',
    )
    .optional()
    .describe(
      'What stands in its JSON, by JSON Pointer: all of it, as it stands there. An answer of more than 64 KiB is never meant.',
    ),
}).refine(
  ({ status, body }) => body !== undefined || (status >= 400 && status < 500),
  'Name what stands in its body: only a status from 400 to 499 says so alone.',
);

/** What a service's own login is asked with, and where its answer has the token. */
export const login = closed({
  url: text
    .refine(
      (value) => isHttpUrl(value) || /^\/(?!\/)/.test(value),
      'Must be a path below the base URL, such as /auth/login, or an absolute URL.',
    )
    .optional()
    .describe(
      'A path below the base URL, or an absolute URL. Default: the token endpoint of an OAuth 2 scheme.',
    ),
  method: z.enum(['GET', 'POST', 'PUT']).optional().describe('Default: POST.'),
  body: z
    .record(text, bodyValue)
    .optional()
    .describe('Sent as JSON, e.g. { username: admin, password: { env: NAME } }.'),
  form: z
    .record(text, z.union([secret, z.literal('')]))
    .optional()
    .describe('Sent as application/x-www-form-urlencoded.'),
  basic: basic.optional().describe('Where name and password go by Basic authentication.'),
  headers: z.record(sentHeaderName, secret).optional(),
  token: z
    .union([
      z
        .string()
        .regex(
          /^(?:\/|$)/,
          'Write a JSON Pointer, such as /data/token, or { header: NAME } or { cookie: NAME }.',
        ),
      closed({ header: text }),
      closed({ cookie: text }),
    ])
    .optional()
    .describe(
      'Where the answer has the token: a JSON Pointer, { header: NAME } or { cookie: NAME }. Default: /access_token, /accessToken, /token, or the cookie of a cookie scheme.',
    ),
  tokenType: text
    .regex(/^[\w-]+$/, 'Is one word, such as Token.')
    .optional()
    .describe(
      "The word before the token in Authorization, or none for the token alone. Default: the scheme's, else Bearer.",
    ),
  lifetime: lifetime
    .optional()
    .describe(
      'How long a token is used. Default: as the answer or the token says, else until it is refused.',
    ),
  ended: z
    .array(end)
    .min(1, 'Name an answer, such as { status: 400, body: { /code: 209 } }.')
    .optional()
    .describe(
      'Answers by which the service says that the session is over. Beside: a 401, and a redirect to a page.',
    ),
})
  .refine(({ body, form }) => body === undefined || form === undefined, 'Name a body or a form, not both.')
  .refine(
    ({ body, form, basic: pair, headers }) =>
      [body, form, pair, headers].some((given) => given !== undefined),
    'Name what logs in: a body, a form or basic.',
  )
  .refine(
    ({ method, body, form }) => method !== 'GET' || (body === undefined && form === undefined),
    'A GET request has no body or form.',
  );
