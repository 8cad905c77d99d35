import { site } from 'virtual:site';
import {
  type KeyboardEvent,
  type MouseEvent,
  type SyntheticEvent,
  useEffect,
  useRef,
  useState,
} from 'react';
import { emitUiEvent } from '#browser/ui-events.ts';
import { useLanguage } from '#components/language.tsx';
import { LANGUAGES, type Language } from '#contract/language.ts';
import type { IslandWords } from '#words/en/islands.ts';

const FILM = '/video/film.mp4';
/** The name of each language in that language. */
const CAPTIONS: Record<Language, { src: string; label: string }> = {
  en: { src: '/video/film.vtt', label: 'English' },
  es: { src: '/video/film-es.vtt', label: 'Español' },
};
const POSTER = '/video/poster.svg';
const DARK_POSTER = '/video/poster-dark.svg';
const DARK = '(prefers-color-scheme: dark)';

type Words = IslandWords['video'];

/**
 * The film behind our own poster. It loads only when the visitor asks for it, and never from a third party unless a
 * YouTube id is set. Without script the poster is a plain link to the film.
 */
export function Video({ words }: { words: Words }) {
  const [isOn, setOn] = useState(false);
  const { title } = words;
  if (isOn) {
    return site.youtubeId ? (
      <YoutubeFrame id={site.youtubeId} title={title} />
    ) : (
      <Film title={title} />
    );
  }
  return (
    <Facade
      play={words.play}
      href={site.youtubeId ? `https://www.youtube-nocookie.com/embed/${site.youtubeId}` : FILM}
      onPlay={() => {
        setOn(true);
        emitUiEvent('video_played');
      }}
    />
  );
}

function Facade(props: { href: string; play: string; onPlay: () => void }) {
  const { href, onPlay } = props;
  // It is a link until the script has loaded. Then the same element acts, and is announced, as a button.
  const [isButton, setButton] = useState(false);
  useEffect(() => setButton(true), []);

  const start = (event: MouseEvent | KeyboardEvent) => {
    event.preventDefault();
    onPlay();
  };
  return (
    <a
      className="relative grid text-ink no-underline"
      href={href}
      {...(isButton && { role: 'button' })}
      onClick={start}
      onKeyDown={(event) => event.key === ' ' && start(event)}
    >
      <picture>
        <source media={DARK} srcSet={DARK_POSTER} />
        <img
          className="w-full border-pen border-ink"
          src={POSTER}
          alt=""
          width="960"
          height="540"
          loading="lazy"
        />
      </picture>
      <span className="grid min-h-14 place-items-center bg-button px-6 py-2 font-bold text-on-button sm:right-6 sm:bottom-6 sm:rounded-control sm:[:not(:has([hidden]))+&]:absolute forced-colors:border-fine">
        {props.play}
      </span>
    </a>
  );
}

/** Moves the focus to the new element, because it has replaced the pressed one. */
function useFocusOnMount<E extends HTMLElement>() {
  const ref = useRef<E>(null);
  useEffect(() => ref.current?.focus(), []);
  return ref;
}

function Film({ title }: { title: string }) {
  const language = useLanguage();
  const ref = useFocusOnMount<HTMLVideoElement>();
  return (
    <video
      ref={ref}
      className="w-full border-pen border-ink"
      src={FILM}
      poster={matchMedia(DARK).matches ? DARK_POSTER : POSTER}
      width="960"
      height="540"
      controls
      autoPlay
      playsInline
      tabIndex={0}
      aria-label={title}
      onLoadedData={showCaptions}
    >
      <track kind="captions" {...CAPTIONS[language]} srcLang={language} default />
      {LANGUAGES.filter((other) => other !== language).map((other) => (
        <track key={other} kind="captions" {...CAPTIONS[other]} srcLang={other} />
      ))}
    </video>
  );
}

/**
 * Shows the captions of the page's language, because WebKit disables a track with `default` that script has added. Not before the
 * film has loaded: until then WebKit disables them again, and Chromium shows those of each language at once.
 */
function showCaptions({ currentTarget }: SyntheticEvent<HTMLVideoElement>): void {
  const [captions] = currentTarget.textTracks;
  if (captions) captions.mode = 'showing';
}

function YoutubeFrame({ id, title }: { id: string; title: string }) {
  const language = useLanguage();
  const ref = useFocusOnMount<HTMLIFrameElement>();
  return (
    <iframe
      ref={ref}
      className="w-full border-pen border-ink"
      src={`https://www.youtube-nocookie.com/embed/${id}?autoplay=1&cc_load_policy=1&hl=${language}&cc_lang_pref=${language}`}
      title={title}
      width="960"
      height="540"
      allow="autoplay; encrypted-media; fullscreen; picture-in-picture"
      referrerPolicy="strict-origin-when-cross-origin"
    />
  );
}
