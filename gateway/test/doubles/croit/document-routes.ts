import { json, NO_CONTENT } from './answers.ts';
import type { CroitRoute } from './routes.ts';

/** As much of an OpenAPI document as routes are made of. */
export interface RouteDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** One route for every operation of a document, so that all of them can be called; roles as it says. */
export function documentRoutes({ paths }: RouteDocument): CroitRoute[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method] !== undefined).map((method) => {
      const operation = item[method] as {
        readonly operationId?: string;
        readonly responses?: Readonly<Record<string, unknown>>;
        readonly 'x-required-permissions'?: readonly string[];
      };
      const status = Number(
        Object.keys(operation.responses ?? {}).find((code) => /^2\d\d$/.test(code)) ?? 200,
      );
      const [role] = operation['x-required-permissions'] ?? [];
      return {
        method: method.toUpperCase(),
        path: path.replace('{path}', '{path*}'),
        ...(role === 'admin' || role === 'viewer' ? { role } : {}),
        answer: () =>
          status === 204
            ? NO_CONTENT
            : json(status, { operation: operation.operationId ?? `${method} ${path}` }),
      } satisfies CroitRoute;
    }),
  );
}
