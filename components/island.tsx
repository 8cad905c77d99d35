import type { ReactElement } from 'react';
import { renderToString } from 'react-dom/server';
import { LanguageProvider, useLanguage } from './language.tsx';

/** The parts of a page that React hydrates. */
export type IslandName = 'register-form';

interface Props {
  name: IslandName;
  className?: string;
  children: ReactElement;
}

/**
 * Prerenders a component that components/islands/hydrate-islands.tsx hydrates in the browser. The
 * component takes no props, so that the server and the browser render the same HTML. Browser code
 * must not import this module.
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
