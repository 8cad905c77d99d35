import { useEffect, useRef } from 'react';
import type { FormWords } from '#words/en/form.ts';

const LOOKS = { h1: 'font-display text-h1', h3: 'text-h3' };

interface Props {
  words: FormWords;
  level?: 'h1' | 'h3';
}

/** Replaces the form, and stays, because a visitor may miss the toast. */
export function RegisterSuccess({ words, level: Heading = 'h3' }: Props) {
  const ref = useRef<HTMLHeadingElement>(null);
  useEffect(() => ref.current?.focus(), []);
  return (
    <>
      <Heading ref={ref} tabIndex={-1} className={LOOKS[Heading]}>
        {words.welcome}
      </Heading>
      <p>{words.mailFollows}</p>
    </>
  );
}
