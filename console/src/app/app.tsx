import { notifyManager, QueryClientProvider } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { createQueryClient } from '../api/query-client.ts';
import { Loading } from '../components/states/loading.tsx';
import { NotFound } from './not-found.tsx';
import { PageBoundary } from './page-boundary.tsx';
import { PAGES } from './page-registry.ts';
import { Shell } from './shell.tsx';

// a key that is pressed next finds the page as the one before left it: what is under way is not dismissed
notifyManager.setScheduler(queueMicrotask);

export function App() {
  const [client] = useState(createQueryClient);
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
