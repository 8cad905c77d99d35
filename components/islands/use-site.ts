import { useStore } from 'zustand';
import { type SiteState, siteStore } from '#browser/site.ts';

/** Reads a part of the page's state in a component, and renders again when that part changes. */
export function useSite<T>(select: (state: SiteState) => T): T {
  return useStore(siteStore, select);
}
