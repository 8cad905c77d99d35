import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { renderToString } from 'react-dom/server';
import { createQueryClient } from '#components/queries/query-client.ts';
import { LanguageProvider, useLanguage } from './language.tsx';

/** The interactive parts of the page; everything else stays plain HTML. */
export type IslandName = 'hero-stats' | 'register-form' | 'opt-out' | 'toaster';

interface Props {
  name: IslandName;
  /** If present, the island moves in once, like a block of words (pages/index/reveal.ts). */
  'data-reveal'?: '';
  className?: string;
  children: ReactElement;
}

/**
 * Prerenders a part of the page that React hydrates later: `components/islands/hydrate-islands.tsx` hydrates the same element,
 * with the same words and no other props, in the same place. For prerendering only: browser code must not import it.
 */
export function Island({ name, children, ...rest }: Props) {
  const language = useLanguage();
  const html = renderToString(
    <QueryClientProvider client={createQueryClient()}>
      <LanguageProvider value={language}>{children}</LanguageProvider>
    </QueryClientProvider>,
    { identifierPrefix: name },
  );
  return (
    // biome-ignore lint/security/noDangerouslySetInnerHtml: React's own output, rendered a line above.
    <div data-island={name} {...rest} dangerouslySetInnerHTML={{ __html: html }} />
  );
}
