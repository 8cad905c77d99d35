import { site } from 'virtual:site';
import { useEffect, useRef } from 'react';
import { withArticle } from '#contract/with-article.ts';

const LOOKS = { h1: 'font-display text-h1', h3: 'text-h3' };

/** Replaces the form, and stays, because a visitor may miss the toast. */
export function RegisterSuccess({ level: Heading = 'h3' }: { level?: 'h1' | 'h3' }) {
  const ref = useRef<HTMLHeadingElement>(null);
  useEffect(() => ref.current?.focus(), []);
  return (
    <>
      <Heading ref={ref} tabIndex={-1} className={LOOKS[Heading]}>
        Welcome to {withArticle(site.productName)}!
      </Heading>
      <p>An email with next steps will follow. Look in your inbox or your spam folder.</p>
    </>
  );
}
