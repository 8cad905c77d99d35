import { type CountingFacts, countingDetails } from '#components/counting-words.ts';
import { Disclosure } from '#components/disclosure.tsx';
import { useWords } from '#components/language.tsx';
import { LANDING } from '#words/landing.ts';

/** The description of counting, folded below the opt-out, also without script. */
export function WhatWeCount({ facts }: { facts: CountingFacts }) {
  return (
    <Disclosure id="counting" className="text-small" summary={useWords(LANDING).footer.whatWeCount}>
      {countingDetails(facts).map((paragraph) => (
        <p key={paragraph} className="mt-2">
          {paragraph}
        </p>
      ))}
    </Disclosure>
  );
}
