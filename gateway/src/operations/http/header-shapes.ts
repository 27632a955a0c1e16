import { z } from 'zod';
import { isOfConnection } from './connection-headers.ts';
import { HTTP_TOKEN } from './http-token.ts';

/** Name of a header in a configuration or a manifest. */
export const headerName = z.string().regex(HTTP_TOKEN, 'Is no HTTP header name.');

/** Name of one that a configuration sends. */
export const sentHeaderName = headerName.refine((name) => !isOfConnection(name), {
  error: ({ input }) => `${input} belongs to the connection itself: leave it out.`,
});
