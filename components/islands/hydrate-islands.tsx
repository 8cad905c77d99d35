import type { ComponentType } from 'react';
import type { IslandName } from '#components/island.tsx';
import { RegisterForm } from './register-form/register-form.tsx';
import { startToasts } from './toasts.ts';

type HydrateRoot = typeof import('react-dom/client')['hydrateRoot'];

const COMPONENTS: Record<IslandName, ComponentType> = { 'register-form': RegisterForm };

/**
 * Hydrates the page's islands. The page imports this module when an island comes near the view.
 *
 * @param hydrateRoot of react-dom/client, which the page imports at the same time
 */
export function hydrateIslands(hydrateRoot: HydrateRoot): void {
  startToasts();
  for (const [name, Component] of Object.entries(COMPONENTS)) {
    const element = document.querySelector<HTMLElement>(`[data-island=${name}]`);
    if (!element) continue;
    hydrateRoot(element, <Component />, { identifierPrefix: name });
    element.dataset.ready = '';
  }
}
