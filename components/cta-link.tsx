import { site } from 'virtual:site';
import { apiUrl } from '#contract/api-url.ts';
import { CTAS, type CtaName } from '#contract/cta.ts';
import { LOG_CTA_PATH } from '#contract/limits.ts';

/**
 * The link to the partner's create-account page. Plain HTML: the inline stub in the head adds the page's `ref` and
 * takes `ping` away before it can be seen; without script, `ping` still counts the click.
 */
export function CtaLink({ cta }: { cta: CtaName }) {
  return (
    <a
      className="cta"
      data-cta={cta}
      data-event={CTAS[cta].event}
      href={`https://${site.portalHost}/create-account?invitation_code=${site.invitationCode}`}
      target="_blank"
      rel="noopener"
      ping={apiUrl(`${LOG_CTA_PATH}?event=${CTAS[cta].event}`)}
    >
      <b>
        Join the Drive <span>(opens in new tab)</span>
      </b>
    </a>
  );
}
