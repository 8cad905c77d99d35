/**
 * Hydrates the islands with React. The page loads this module on the first interaction, never before first paint.
 * Each island has its own chunk, which loads once the island is near the view, so that no task is long.
 */
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import type { IslandName } from '#components/island.tsx';
import { createQueryClient } from '#queries/query-client.ts';
import './late.css';

type ReactDom = typeof import('react-dom/client');

const ISLANDS: Record<IslandName, () => Promise<ComponentType>> = {
  'hero-stats': () => import('./hero-stats.tsx').then((m) => m.HeroStats),
  toaster: () => import('./toaster.tsx').then((m) => m.Toaster),
  video: () => import('./video.tsx').then((m) => m.Video),
  'opt-out': () => import('./opt-out.tsx').then((m) => m.OptOut),
  'register-form': () => import('./register-form/register-form.tsx').then((m) => m.RegisterForm),
};

/**
 * Hydrated wherever the visitor is: the toaster must listen before the first toast, and the hero polls the
 * statistics also for a visitor who landed further down.
 */
const EVERYWHERE: readonly string[] = ['toaster', 'hero-stats'] satisfies IslandName[];
/** Distance from the view within which an island is hydrated. */
const NEAR = '100%';

export function hydrateIslands(reactDom: ReactDom): void {
  const queryClient = createQueryClient();
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (!isIntersecting) continue;
        observer.unobserve(target);
        void hydrate(target as HTMLElement, reactDom, queryClient);
      }
    },
    { rootMargin: NEAR },
  );
  for (const element of document.querySelectorAll<HTMLElement>('[data-island]')) {
    if (EVERYWHERE.includes(element.dataset.island ?? '')) {
      void hydrate(element, reactDom, queryClient);
    } else observer.observe(element);
  }
}

async function hydrate(
  element: HTMLElement,
  { createRoot, hydrateRoot }: ReactDom,
  queryClient: QueryClient,
): Promise<void> {
  const name = element.dataset.island as IslandName;
  const Island = await ISLANDS[name]();
  const tree = (
    <QueryClientProvider client={queryClient}>
      <Island />
    </QueryClientProvider>
  );
  const options = { identifierPrefix: name };
  if (element.firstChild) hydrateRoot(element, tree, options);
  else createRoot(element, options).render(tree);
  element.dataset.ready = '';
}
