import type { Facts } from '#site.config.ts';

type Words = NonNullable<Facts['law']>;

/** The law that the service follows, and the person who confirms it. Null if either is missing: a page then names neither. */
export const confirmedLaw = ({
  law,
  lawConfirmedBy,
}: Facts): { law: Words; confirmedBy: Words } | null =>
  law && lawConfirmedBy ? { law, confirmedBy: lawConfirmedBy } : null;
