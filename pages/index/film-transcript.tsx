import { site } from 'virtual:site';
import { Disclosure } from '#components/disclosure.tsx';
import { useLanguage, useWords } from '#components/language.tsx';
import type { Language } from '#contract/language.ts';
import { LANDING } from '#words/landing.ts';
import { SCENES, type Scene, transcriptOf } from './film-script.ts';
import { SPANISH_SCENES } from './film-script-es.ts';

const SCRIPTS: Record<Language, readonly Scene[]> = { en: SCENES, es: SPANISH_SCENES };

/** The site's own film in words, for visitors who read rather than watch. Any other film has its own captions. */
export function FilmTranscript() {
  const { read } = useWords(LANDING).howItWorks.film;
  const scenes = SCRIPTS[useLanguage()];
  if (site.youtubeId) return null;
  return (
    <Disclosure summary={read}>
      <ol className="grid gap-4 print:block print:columns-2">
        {transcriptOf(scenes).map(({ seen, captions }) => (
          <li key={seen}>
            <p>{captions.join(' ')}</p>
            <p className="text-small text-ink-2">{seen}</p>
          </li>
        ))}
      </ol>
    </Disclosure>
  );
}
