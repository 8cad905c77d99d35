import { site } from 'virtual:site';
import { useLanguage } from '#components/language.tsx';
import { HELP, HELP_PATHS, type HelpPageName } from '#words/help.ts';

/** Neutral on purpose, like the share image, because a link in a chat must not reveal a diagnosis. */
const HEADLINE = 'Many records. One road forward.';
const DESCRIPTION =
  'Bring health records from all your providers into one private space. See what they say together, and help research if you choose.';
const SHARE_IMAGE_ALT =
  'A group of people travel along one road that many loose threads lead into.';

/** The help page at a path. */
const helpPageAt = (path: string) =>
  (Object.keys(HELP_PATHS) as HelpPageName[]).find((name) => HELP_PATHS[name] === path);

const TITLES: Record<string, string> = {
  '/': 'Your health records, on one road',
  '/registered': 'You are registered',
  '/not-registered': 'Error: There is a problem',
};

/** @param path of the page; null: the 404 page */
export function Head({ path }: { path: string | null }) {
  const help = path === null ? undefined : helpPageAt(`${path}/`);
  const language = useLanguage();
  const title =
    (help && HELP[help][language].title) ?? (path && TITLES[path]) ?? '404 Page Not Found';
  return (
    <>
      <title>{`${title} – ${site.productName}`}</title>
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="theme-color" content="#fbf7ef" media="(prefers-color-scheme: light)" />
      <meta name="theme-color" content="#15131f" media="(prefers-color-scheme: dark)" />
      {/* Not in the style sheet, because the build would turn it into three rules for older browsers. */}
      <meta name="color-scheme" content="light dark" />
      <meta name="format-detection" content="telephone=no" />
      <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
      <link rel="icon" href="/favicon.png" type="image/png" sizes="48x48" />
      <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
      <link rel="manifest" href="/manifest.webmanifest" />
      {path === '/' ? <Sharing /> : <meta name="robots" content="noindex" />}
    </>
  );
}

function Sharing() {
  return (
    <>
      <meta name="description" content={DESCRIPTION} />
      <link rel="canonical" href={`${site.siteUrl}/`} />
      <meta property="og:type" content="website" />
      <meta property="og:url" content={`${site.siteUrl}/`} />
      <meta property="og:title" content={HEADLINE} />
      <meta property="og:description" content={DESCRIPTION} />
      <meta property="og:image" content={`${site.siteUrl}/og/share.png`} />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta property="og:image:alt" content={SHARE_IMAGE_ALT} />
      <meta name="twitter:card" content="summary_large_image" />
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own JSON, escaped below. */}
      <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: linkedData() }} />
    </>
  );
}

function linkedData(): string {
  const data = {
    '@context': 'https://schema.org',
    '@type': 'WebSite',
    name: site.productName,
    url: `${site.siteUrl}/`,
    description: DESCRIPTION,
    inLanguage: 'en',
  };
  // "</script>" in a product name must not end the element.
  return JSON.stringify(data).replaceAll('<', '\\u003c');
}
