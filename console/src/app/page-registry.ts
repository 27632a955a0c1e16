import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

export interface Page {
  /** Routes of wouter: `/calls/:id?`. */
  readonly path: string;
  /** In the navigation; absent: not listed there. */
  readonly label?: string;
  readonly group?: string;
  readonly page: LazyExoticComponent<ComponentType>;
}

const page = (
  path: string,
  load: () => Promise<{ default: ComponentType }>,
  listed: { readonly label: string; readonly group: string } | Record<string, never> = {},
): Page => ({ path, page: lazy(load), ...listed });

/** Every page: a folder in `pages/` and a line here. The first one is what `/` leads to. */
export const PAGES: readonly Page[] = [
  page('/calls/:id?', () => import('../pages/calls/calls-page.tsx'), { label: 'Calls', group: 'Now' }),
  page('/approvals/:id?', () => import('../pages/approvals/approvals-page.tsx'), {
    label: 'Approvals',
    group: 'Now',
  }),
  page('/tools/:name?', () => import('../pages/tools/tools-page.tsx'), { label: 'Tools', group: 'Tools' }),
  page('/tokens', () => import('../pages/tokens/tokens-page.tsx'), { label: 'Tokens', group: 'Tools' }),
  page('/sources/:name?', () => import('../pages/sources/sources-page.tsx'), {
    label: 'Sources',
    group: 'Tools',
  }),
  page('/access', () => import('../pages/access/access-page.tsx'), { label: 'Access', group: 'People' }),
  page('/people', () => import('../pages/people/people-page.tsx'), {
    label: 'People and keys',
    group: 'People',
  }),
  page('/changes', () => import('../pages/changes/changes-page.tsx'), { label: 'Changes', group: 'People' }),
  page('/artifacts/:id?', () => import('../pages/artifacts/artifacts-page.tsx'), {
    label: 'Artifacts',
    group: 'Kept',
  }),
  page('/usage', () => import('../pages/usage/usage-page.tsx'), { label: 'Usage', group: 'Kept' }),
  page('/doctor', () => import('../pages/doctor/doctor-page.tsx'), { label: 'Doctor', group: 'Gateway' }),
  page('/settings', () => import('../pages/settings/settings-page.tsx'), {
    label: 'Settings',
    group: 'Gateway',
  }),
  page('/sign-in', () => import('../pages/sign-in/sign-in-page.tsx')),
];
