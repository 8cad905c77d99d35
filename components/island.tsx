import type { ReactElement } from 'react';
import { renderToString } from 'react-dom/server';
import { LanguageProvider, useLanguage } from './language.tsx';

/** The interactive parts of the page; everything else stays plain HTML. */
export type IslandName = 'register-form' | 'opt-out' | 'toaster';

interface Props {
  name: IslandName;
  className?: string;
  children: ReactElement;
}

/**
 * Prerenders a part of the page that `components/islands/hydrate-islands.tsx` hydrates later. That
 * part takes no props, so that both make the same HTML. For prerendering only: browser code must
 * not import it.
 */
export function Island({ name, children, ...rest }: Props) {
  const html = renderToString(
    <LanguageProvider value={useLanguage()}>{children}</LanguageProvider>,
    { identifierPrefix: name },
  );
  return (
    // biome-ignore lint/security/noDangerouslySetInnerHtml: React's own output, rendered a line above.
    <div data-island={name} {...rest} dangerouslySetInnerHTML={{ __html: html }} />
  );
}
