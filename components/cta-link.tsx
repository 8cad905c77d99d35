import { site } from 'virtual:site';
import type { ReactNode } from 'react';
import { CTAS, type CtaName } from '#contract/cta.ts';
import { LOG_CTA_PATH } from '#contract/limits.ts';
import { LANDING } from '#words/index.ts';
import { useWords } from './language.tsx';

interface Props {
  cta: CtaName;
  /** The words on the link. */
  children: ReactNode;
}

/**
 * The link to the partner's create-account page. It is plain HTML: the inline stub, which must come
 * before it in the page (`ClickStub` of components/inline-scripts.tsx), adds the page's `ref` and
 * removes `ping` before the visitor can see the link. Without script, `ping` still counts the
 * click.
 */
export function CtaLink({ cta, children }: Props) {
  const { newTab } = useWords(LANDING);
  return (
    <a
      data-cta={cta}
      data-event={CTAS[cta].event}
      href={site.signUpUrl}
      // A printout shows the whole address. A link to the portal has its origin in `href`.
      data-origin={site.portalHost ? undefined : site.siteUrl}
      target="_blank"
      rel="noopener"
      ping={`${LOG_CTA_PATH}?event=${CTAS[cta].event}`}
    >
      <span />
      <b>
        {children} <span>{newTab}</span>
      </b>
    </a>
  );
}
