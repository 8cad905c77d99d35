import { site } from 'virtual:site';
import { useEffect, useRef } from 'react';
import { withArticle } from '#contract/with-article.ts';

/** Stands where the form stood, and stays: nobody has to catch the toast. */
export function RegisterSuccess({ level: Heading = 'h3' }: { level?: 'h1' | 'h3' }) {
  const ref = useRef<HTMLHeadingElement>(null);
  useEffect(() => ref.current?.focus(), []);
  return (
    <div className="register-success">
      <Heading ref={ref} tabIndex={-1}>
        Welcome to {withArticle(site.productName)}!
      </Heading>
      <p>An email with next steps will follow. Look for it in your inbox.</p>
    </div>
  );
}
