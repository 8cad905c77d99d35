/** The film's scenes as sections of its page: the film says the same with words, pictures and captions. */
import type { Scene, SceneName } from './en/film-script.ts';
import type { HelpSection } from './help.ts';

/**
 * @param headings the large words in each picture, in the page's language
 * @param picture the word before the description of a picture
 */
export const filmScenes = (
  scenes: readonly Scene[],
  headings: Record<SceneName, string>,
  picture: string,
): Record<string, HelpSection> =>
  Object.fromEntries(
    scenes.map(({ name, captions, seen }) => [
      name,
      {
        heading: headings[name as SceneName],
        body: (
          <>
            <p>{captions.map(({ text }) => text.replace('\n', ' ')).join(' ')}</p>
            <p>
              <b>{picture}</b> {seen}
            </p>
          </>
        ),
      },
    ]),
  );
