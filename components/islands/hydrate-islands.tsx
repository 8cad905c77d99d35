/**
 * Hydrates the islands with React. The page loads this module on the first interaction, never before first paint.
 * Each island has its own chunk, which loads once the island is near the view, so that no task is long.
 */
import { site } from 'virtual:site';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { IslandName } from '#components/island.tsx';
import { LanguageProvider } from '#components/language.tsx';
import { createQueryClient } from '#components/queries/query-client.ts';
import type { Language } from '#contract/language.ts';
import type { FormWords } from '#words/en/form.ts';
import type { IslandWords } from '#words/en/islands.ts';
import './late.css';

type ReactDom = typeof import('react-dom/client');

type Words<W> = Record<Language, () => Promise<W>>;

const WORDS: Words<IslandWords> = {
  en: () => import('#words/en/islands.ts').then((m) => m.islands(site)),
  es: () => import('#words/es/islands.ts').then((m) => m.islands(site)),
};
const FORM_WORDS: Words<FormWords> = {
  en: () => import('#words/en/form.ts').then((m) => m.form(site)),
  es: () => import('#words/es/form.ts').then((m) => m.form(site)),
};

/** The page's language. Browsers load the words of no other. */
const language = document.documentElement.lang as Language;
const words = WORDS[language]();

/** Loads an island's code, while its words load too. */
const ISLANDS: Record<IslandName, () => Promise<ReactElement>> = {
  'hero-stats': async () => {
    const { HeroStats } = await import('./hero-stats.tsx');
    return <HeroStats words={(await words)['hero-stats']} />;
  },
  toaster: async () => {
    const { Toaster } = await import('./toaster.tsx');
    return <Toaster words={(await words).toaster} />;
  },
  'opt-out': async () => {
    const { OptOut } = await import('./opt-out.tsx');
    return <OptOut words={(await words)['opt-out']} />;
  },
  'register-form': async () => {
    const form = import('./register-form/register-form.tsx');
    const [{ RegisterForm }, formWords] = await Promise.all([form, FORM_WORDS[language]()]);
    return <RegisterForm words={formWords} />;
  },
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
  const island = await ISLANDS[name]();
  const tree = (
    <QueryClientProvider client={queryClient}>
      <LanguageProvider value={language}>{island}</LanguageProvider>
    </QueryClientProvider>
  );
  const options = { identifierPrefix: name };
  if (element.firstChild) hydrateRoot(element, tree, options);
  else createRoot(element, options).render(tree);
  element.dataset.ready = '';
}
