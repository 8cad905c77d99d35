import { site } from 'virtual:site';
import type { ReactNode } from 'react';
import { CTAS, type CtaName } from '#contract/cta.ts';
import { LOG_CTA_PATH } from '#contract/limits.ts';
import { LANDING } from '#words/index.ts';
import { useWords } from './language.tsx';

interface Props {
  cta: CtaName;
  /** The link's text. */
  children: ReactNode;
}

/**
 * A call to action: the link to the partner's create-account page, as plain HTML.
 *
 * Put `ClickStub` before the first call to action of a page. It counts the clicks, adds the page's
 * `ref` to the link and removes the attribute `ping`. Where scripts are off, `ping` counts the
 * click.
 */
export function CtaLink({ cta, children }: Props) {
  const { newTab } = useWords(LANDING);
  return (
    <a
      data-cta={cta}
      data-event={CTAS[cta].event}
      href={site.signUpUrl}
      // A printout shows the link's whole address (renderer/css/modes.css). The path of the
      // portal's stand-in needs the site's origin for that.
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
