/** The film's scenarios, which scenarios.ts lists. */
import { LANGUAGES, pathIn } from '#contract/language.ts';
import { firstCaption } from '../../helpers/browser/first-caption.ts';
import { arrive, until, type Visit, wake } from './visit.ts';

export const FILM = '[data-island=video] a';

export async function filmStarts(visit: Visit): Promise<void> {
  const { page } = visit;
  await arrive(visit);
  await wake(visit);
  await page.click(FILM);
  const film = () =>
    page.evaluate(() => {
      const video = document.querySelector('video');
      return {
        hasFocus: video !== null && document.activeElement === video,
        error: video?.error?.message ?? null,
        isKnown: (video?.duration ?? 0) > 10,
        hasCaptions: video?.textTracks[0]?.kind === 'captions',
      };
    });
  await until('film', film, { hasFocus: true, error: null, isKnown: true, hasCaptions: true });
}

export async function captionsAreShown(visit: Visit): Promise<void> {
  const { page } = visit;
  for (const language of LANGUAGES) {
    await arrive(visit, pathIn(language, '/'));
    await wake(visit);
    await page.click(FILM);
    const shown = () =>
      page.evaluate(() => {
        const video = document.querySelector('video');
        return {
          isPlaying: video !== null && !video.paused && video.currentTime > 0,
          captions: [...(video?.textTracks ?? [])]
            .filter(({ mode }) => mode === 'showing')
            .flatMap(({ activeCues }) => [...(activeCues ?? [])] as VTTCue[])
            .map(({ text }) => text),
        };
      });
    await until('captions', shown, { isPlaying: true, captions: [firstCaption(language)] });
  }
}
