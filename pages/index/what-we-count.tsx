import { type CountingFacts, countingDetails } from '#components/counting-words.ts';
import { Disclosure } from '#components/disclosure.tsx';

/** The description of counting, folded below the opt-out, also without script. */
export function WhatWeCount({ facts }: { facts: CountingFacts }) {
  return (
    <Disclosure id="counting" className="text-small" summary="What we count, and who learns it">
      {countingDetails(facts).map((paragraph) => (
        <p key={paragraph} className="mt-2">
          {paragraph}
        </p>
      ))}
    </Disclosure>
  );
}
