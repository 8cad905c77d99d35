import { site } from 'virtual:site';
import { TRANSCRIPT } from './film-script.ts';

/** The site's own film in words, for those who read rather than watch; another film brings its own captions. */
export function FilmTranscript() {
  if (site.youtubeId) return null;
  return (
    <details className="transcript">
      <summary>Read the film</summary>
      <ol>
        {TRANSCRIPT.map(({ seen, captions }) => (
          <li key={seen}>
            <p>{captions.join(' ')}</p>
            <p className="small text-ink-2">{seen}</p>
          </li>
        ))}
      </ol>
    </details>
  );
}
