import { notifyManager, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { ApiError, UnreachableError } from '../api/api-error.ts';
import { Loading } from '../components/states/loading.tsx';
import { NotFound } from './not-found.tsx';
import { PageBoundary } from './page-boundary.tsx';
import { PAGES } from './page-registry.ts';
import { Shell } from './shell.tsx';

// a key that is pressed next finds the page as the one before left it: what is under way is not dismissed
notifyManager.setScheduler(queueMicrotask);

/** A refusal stays one however often it is asked again; an unreachable gateway may come back, however late. */
function again(count: number, error: Error): boolean {
  if (error instanceof UnreachableError) return true;
  return !(error instanceof ApiError) && count < 2;
}

function createClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // what was read counts while it is followed: in between a change is heard by nobody
      queries: { retry: again, retryDelay: (count) => Math.min(500 * 2 ** count, 5_000), staleTime: 0 },
      mutations: { retry: false },
    },
  });
}

export function App() {
  const [client] = useState(createClient);
  return (
    <QueryClientProvider client={client}>
      <Shell>
        <Pages />
      </Shell>
    </QueryClientProvider>
  );
}

function Pages() {
  const [location] = useLocation();
  return (
    // what went wrong on one page says nothing of another
    <PageBoundary key={location.split('/')[1]}>
      <Suspense fallback={<Loading what="page" />}>
        <Switch>
          {PAGES.map(({ path, page: Page }) => (
            <Route key={path} path={path}>
              <Page />
            </Route>
          ))}
          <Route path="/">
            <Redirect to="/calls" replace />
          </Route>
          <Route>
            <NotFound />
          </Route>
        </Switch>
      </Suspense>
    </PageBoundary>
  );
}
