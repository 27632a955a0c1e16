import type { ReceivedRequest } from '../loopback-service.ts';
import type { CroitRoute } from './routes.ts';

export interface MatchedRoute {
  readonly route: CroitRoute;
  readonly parameters: Readonly<Record<string, string>>;
}

type Matcher = (request: ReceivedRequest) => MatchedRoute | undefined;

/** Finds a request's route: the first of those with the fewest parameters. Parameters are percent-decoded. */
export function routeMatcher(routes: readonly CroitRoute[]): Matcher {
  const patterns = routes
    .map((route) => ({ route, ...pattern(route.path) }))
    .sort((a, b) => a.names.length - b.names.length);
  return ({ method, path }) => {
    for (const { route, expression, names } of patterns) {
      if (route.method !== method) continue;
      const match = expression.exec(path);
      if (match === null) continue;
      const values = names.map((name, index) => [name, decoded(match[index + 1]!)]);
      return { route, parameters: Object.fromEntries(values) };
    }
    return undefined;
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function pattern(path: string): { readonly expression: RegExp; readonly names: readonly string[] } {
  const names: string[] = [];
  const source = path
    .split(/(\{[^}]+\})/)
    .map((piece) => {
      const name = /^\{([^}*]+)(\*?)\}$/.exec(piece);
      if (name === null) return piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
      names.push(name[1]!);
      return name[2] === '*' ? '(.+)' : '([^/]+)';
    })
    .join('');
  return { expression: new RegExp(`^${source}$`), names };
}
