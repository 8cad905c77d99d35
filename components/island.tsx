import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { renderToString } from 'react-dom/server';
import { createQueryClient } from '#queries/query-client.ts';

/** The parts of the page that move; everything else stays plain HTML. */
export type IslandName = 'hero-stats' | 'video' | 'register-form' | 'counting-switch' | 'toaster';

/**
 * Prerenders a part of the page that React takes over later, on its own: `pages/index/hydrate-islands.tsx` hydrates
 * the same element, with no props, into the same place. Prerender only: it must not reach the browser.
 */
export function Island({ name, children }: { name: IslandName; children: ReactElement }) {
  const html = renderToString(
    <QueryClientProvider client={createQueryClient()}>{children}</QueryClientProvider>,
    { identifierPrefix: name },
  );
  return (
    // biome-ignore lint/security/noDangerouslySetInnerHtml: React's own output, rendered a line above.
    <div data-island={name} dangerouslySetInnerHTML={{ __html: html }} />
  );
}
