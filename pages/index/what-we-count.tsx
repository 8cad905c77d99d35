import { type CountingFacts, countingDetails } from '#components/counting-words.ts';

/** The truth about counting, folded away below the opt-out; without script too. */
export function WhatWeCount({ facts }: { facts: CountingFacts }) {
  return (
    <details className="transcript small" id="counting">
      <summary>What we count, and who learns it</summary>
      {countingDetails(facts).map((paragraph) => (
        <p key={paragraph} className="mt-2">
          {paragraph}
        </p>
      ))}
    </details>
  );
}
