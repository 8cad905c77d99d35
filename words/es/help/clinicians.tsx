/** The words of /help/clinicians/ in Spanish. */
import type { Facts, Site } from '#site.config.ts';
import type { clinicians as english } from '../../en/help/clinicians.tsx';

export const clinicians = (_site: Site, _facts: Facts): ReturnType<typeof english> => ({
  title: 'Para profesionales',
  lead: 'Lo que conviene saber antes de hablar de esto con una familia.',
});
