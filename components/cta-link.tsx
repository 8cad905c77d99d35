import { site } from 'virtual:site';
import type { ReactNode } from 'react';
import { CTAS, type CtaName } from '#contract/cta.ts';
import { LOG_CTA_PATH } from '#contract/limits.ts';
import { LANDING } from '#words/landing.ts';
import { useWords } from './language.tsx';

interface Props {
  cta: CtaName;
  className?: string;
  /** The words on the link. */
  children: ReactNode;
}

/**
 * The link to the partner's create-account page. It is plain HTML: the inline stub, which must come before it in the page
 * (components/capture-stub.tsx), adds the page's `ref` and removes `ping` before the visitor can see the link. Without
 * script, `ping` still counts the click.
 */
export function CtaLink({ cta, className = '', children }: Props) {
  const { newTab } = useWords(LANDING);
  return (
    <a
      className={`inline-flex min-h-16 items-center gap-[min(0.875rem,4vw)] rounded-control bg-button px-[min(1.25rem,6vw)] py-2 text-cta font-bold text-on-button no-underline hover:bg-button-hover max-xs:w-full xs:min-h-18 xs:gap-4.5 xs:px-5.5 xs:whitespace-nowrap edged:border-fine edged:border-ink ${className}`.trim()}
      data-cta={cta}
      data-event={CTAS[cta].event}
      href={site.signUpUrl}
      target="_blank"
      rel="noopener"
      ping={`${LOG_CTA_PATH}?event=${CTAS[cta].event}`}
    >
      {/* The button draws the next segment of the line itself. */}
      <span className="h-9 w-2.5 flex-none rounded-full bg-mark forced-color-adjust-none" />
      <b>
        {children} <span className="block text-small/tight font-normal">{newTab}</span>
      </b>
    </a>
  );
}
