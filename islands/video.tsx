import { site } from 'virtual:site';
import { type KeyboardEvent, type MouseEvent, useEffect, useRef, useState } from 'react';
import { emitUiEvent } from '#browser/ui-events.ts';
import { withArticle } from '#contract/with-article.ts';

const FILM = '/video/film.mp4';
const CAPTIONS = '/video/film.vtt';
const POSTER = '/video/poster.svg';

/**
 * The film behind our own poster. It loads only when the visitor asks for it, and never from a third party unless a
 * YouTube id is set. Without script the poster is a plain link to the film.
 */
export function Video() {
  const [isOn, setOn] = useState(false);
  if (isOn) return site.youtubeId ? <YoutubeFrame id={site.youtubeId} /> : <Film />;
  return (
    <Facade
      href={site.youtubeId ? `https://www.youtube-nocookie.com/embed/${site.youtubeId}` : FILM}
      onPlay={() => {
        setOn(true);
        emitUiEvent('video_played');
      }}
    />
  );
}

function Facade({ href, onPlay }: { href: string; onPlay: () => void }) {
  // It is a link until the script has loaded. Then the same element acts, and is announced, as a button.
  const [isButton, setButton] = useState(false);
  useEffect(() => setButton(true), []);

  const play = (event: MouseEvent | KeyboardEvent) => {
    event.preventDefault();
    onPlay();
  };
  return (
    <a
      className="relative grid text-ink"
      href={href}
      {...(isButton && { role: 'button' })}
      onClick={play}
      onKeyDown={(event) => event.key === ' ' && play(event)}
    >
      <img
        className="peer aspect-16/9 w-full border-pen border-ink"
        src={POSTER}
        alt=""
        width="960"
        height="540"
        loading="lazy"
      />
      <span className="grid min-h-14 place-items-center bg-button px-6 py-2 font-bold text-on-button sm:right-6 sm:bottom-6 sm:rounded-control sm:peer-[:not([hidden])]:absolute forced-colors:border-fine">
        Play the film
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

function Film() {
  const ref = useFocusOnMount<HTMLVideoElement>();
  return (
    <video
      ref={ref}
      className="block aspect-16/9 h-auto w-full border-pen border-ink bg-[#000]"
      src={FILM}
      poster={POSTER}
      width="960"
      height="540"
      controls
      autoPlay
      playsInline
      tabIndex={0}
      aria-label={`Film: how ${withArticle(site.productName)} works`}
    >
      <track kind="captions" src={CAPTIONS} srcLang="en" label="English" default />
    </video>
  );
}

function YoutubeFrame({ id }: { id: string }) {
  const ref = useFocusOnMount<HTMLIFrameElement>();
  return (
    <iframe
      ref={ref}
      className="block aspect-16/9 h-auto w-full border-pen border-ink bg-[#000]"
      src={`https://www.youtube-nocookie.com/embed/${id}?autoplay=1&cc_load_policy=1`}
      title={`Film: how ${withArticle(site.productName)} works`}
      width="960"
      height="540"
      allow="autoplay; encrypted-media; fullscreen; picture-in-picture"
      referrerPolicy="strict-origin-when-cross-origin"
    />
  );
}
