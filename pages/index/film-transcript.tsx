import { site } from 'virtual:site';
import { Disclosure } from '#components/disclosure.tsx';
import { useWords } from '#components/language.tsx';
import { LANDING } from '#words/landing.ts';
import { TRANSCRIPT } from './film-script.ts';

/** The site's own film in words, for visitors who read rather than watch. Any other film has its own captions. */
export function FilmTranscript() {
  const { read } = useWords(LANDING).howItWorks.film;
  if (site.youtubeId) return null;
  return (
    <Disclosure summary={read}>
      <ol className="grid gap-4 print:block print:columns-2">
        {TRANSCRIPT.map(({ seen, captions }) => (
          <li key={seen}>
            <p>{captions.join(' ')}</p>
            <p className="text-small text-ink-2">{seen}</p>
          </li>
        ))}
      </ol>
    </Disclosure>
  );
}
