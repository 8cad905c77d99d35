import { site } from 'virtual:site';
import type { ComponentType } from 'react';
import type { IslandName } from '#components/island.tsx';
import { OptOut } from './opt-out.tsx';
import { Toaster } from './toaster.tsx';

type HydrateRoot = typeof import('react-dom/client')['hydrateRoot'];

/**
 * Hydrates the page's islands. The page imports this module when an island comes near the view.
 *
 * @param hydrateRoot of react-dom/client, which the page imports at the same time
 */
export function hydrateIslands(hydrateRoot: HydrateRoot): void {
  const hydrate = (name: IslandName, Component: ComponentType) => {
    const element = document.querySelector<HTMLElement>(`[data-island=${name}]`);
    if (!element) return;
    hydrateRoot(element, <Component />, { identifierPrefix: name });
    element.dataset.ready = '';
  };
  hydrate('toaster', Toaster);
  hydrate('opt-out', OptOut);
  if (!site.registerForm) return;
  import('./register-form/register-form.tsx').then(
    ({ RegisterForm }) => hydrate('register-form', RegisterForm),
    () => {}, // The module did not load. The browser then submits the form without script.
  );
}
