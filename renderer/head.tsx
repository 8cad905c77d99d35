import { site } from 'virtual:site';
import { useLanguage, useWords } from '#components/language.tsx';
import { LANGUAGES, type Language, pathIn } from '#contract/language.ts';
import { HELP, HELP_PATHS } from '#words/help.ts';
import { helpPageAt } from '#words/help-paths.ts';
import { HEAD } from '#words/index.ts';

/** The share image in each language. */
const SHARE_IMAGES: Record<Language, string> = { en: '/og/share.png', es: '/og/share-es.png' };

const urlIn = (language: Language, path: string) => site.siteUrl + pathIn(language, path);

/** @param path of the page in English, without the slash at its end; null: the 404 page */
export function Head({ path }: { path: string | null }) {
  const language = useLanguage();
  const words = useWords(HEAD);
  const name = path === null ? undefined : helpPageAt(path);
  const help = name && HELP[name][language];
  const title = help?.title ?? (path && words.titles[path]) ?? words.notFound;
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
      {/* Help pages leave out what a phone's home screen needs, because each byte counts there. */}
      {!name && <link rel="apple-touch-icon" href="/apple-touch-icon.png" />}
      {name && <Indexed path={HELP_PATHS[name]} description={naming(words.illness, help?.lead)} />}
      {path === '/' && <Indexed path="/" description={words.description} />}
      {!name && path !== '/' && <meta name="robots" content="noindex" />}
    </>
  );
}

/**
 * The main message of a help page as its description, in which a search for the illness finds it.
 */
const naming = (illness: string, lead = '') =>
  lead.toLowerCase().includes(illness.toLowerCase()) ? lead : `${illness}. ${lead}`;

/**
 * The card that search engines and chats show of a page. Help pages share the landing page's card,
 * because their titles may name the illness.
 */
function Indexed({ path, description }: { path: string; description: string }) {
  const language = useLanguage();
  const words = useWords(HEAD);
  const url = urlIn(language, path);
  return (
    <>
      <meta name="description" content={description} />
      <link rel="canonical" href={url} />
      {LANGUAGES.map((other) => (
        <link key={other} rel="alternate" hrefLang={other} href={urlIn(other, path)} />
      ))}
      <link rel="alternate" hrefLang="x-default" href={urlIn('en', path)} />
      <meta property="og:type" content="website" />
      <meta property="og:url" content={url} />
      <meta property="og:locale" content={words.locale} />
      <meta property="og:title" content={words.headline} />
      <meta property="og:description" content={words.shared} />
      <meta property="og:image" content={site.siteUrl + SHARE_IMAGES[language]} />
      <meta property="og:image:alt" content={words.shareImageAlt} />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  );
}
