/**
 * Hydrates the islands with React. The page loads this module when one of them comes near the view.
 */
import { site } from 'virtual:site';
import type { ComponentType } from 'react';
import type { IslandName } from '#components/island.tsx';
import { OptOut } from './opt-out.tsx';
import { Toaster } from './toaster.tsx';

type HydrateRoot = typeof import('react-dom/client')['hydrateRoot'];

export function hydrateIslands(hydrateRoot: HydrateRoot): void {
  const hydrate = (name: IslandName, Part: ComponentType) => {
    const element = document.querySelector<HTMLElement>(`[data-island=${name}]`);
    if (!element) return;
    hydrateRoot(element, <Part />, { identifierPrefix: name });
    element.dataset.ready = '';
  };
  hydrate('toaster', Toaster);
  hydrate('opt-out', OptOut);
  if (!site.registerForm) return;
  import('./register-form/register-form.tsx').then(
    ({ RegisterForm }) => hydrate('register-form', RegisterForm),
    () => {}, // Without a network, the browser sends the form by itself.
  );
}
