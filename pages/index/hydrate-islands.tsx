/** Late: React, and the islands it brings to life. Loaded on the first interaction, never before first paint. */
import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { CountingSwitch } from '#components/counting-switch.tsx';
import type { IslandName } from '#components/island.tsx';
import { Toaster } from '#components/toaster.tsx';
import { Video } from '#components/video.tsx';
import { createQueryClient } from '#queries/query-client.ts';
import { HeroStats } from './hero-stats.tsx';
import '#components/late.css';

/** Each in a chunk of its own where it is heavy and seldom there. */
const ISLANDS: Record<IslandName, () => Promise<ReactElement> | ReactElement> = {
  'hero-stats': () => <HeroStats />,
  video: () => <Video />,
  'counting-switch': () => <CountingSwitch />,
  toaster: () => <Toaster />,
  'register-form': async () => {
    const { RegisterForm } = await import('#components/register-form.tsx');
    return <RegisterForm />;
  },
};

export async function hydrateIslands(): Promise<void> {
  const queryClient = createQueryClient();
  for (const element of document.querySelectorAll<HTMLElement>('[data-island]')) {
    const name = element.dataset.island as IslandName;
    const island = await ISLANDS[name]();
    const tree = <QueryClientProvider client={queryClient}>{island}</QueryClientProvider>;
    const options = { identifierPrefix: name };
    if (element.firstChild) hydrateRoot(element, tree, options);
    else createRoot(element, options).render(tree);
  }
}
