import { type CountingFacts, countingDetails } from '#components/counting-words.ts';
import { Disclosure } from '#components/disclosure.tsx';

/** The truth about counting, folded away below the opt-out; without script too. */
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
