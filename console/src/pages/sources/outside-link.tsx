import type { ReactNode } from 'react';

interface OutsideLinkProps {
  /** From data: only an http or https address becomes a link. */
  readonly href: string;
  readonly children: ReactNode;
}

/** Leads out of the console, in a tab of its own that knows nothing of it. */
export function OutsideLink({ href, children }: OutsideLinkProps) {
  const url = URL.canParse(href) ? new URL(href) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) return <code>{href}</code>;
  return (
    <a href={url.href} target="_blank" rel="noreferrer noopener">
      {children}
    </a>
  );
}
