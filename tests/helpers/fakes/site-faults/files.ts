/** Faults of the files that pages load. */
import {
  answerOf,
  atPath,
  MAINTENANCE,
  NOT_FOUND,
  type PlantedFault,
  withBody,
  withHeaders,
} from './plant.ts';

export const FILES_FAULTS: PlantedFault[] = [
  {
    name: "the page's script is away",
    plant: atPath(/^\/assets\/entries\/pages_index_client/, () => answerOf(404, NOT_FOUND)),
    named: /a file answers 404 \(at \/assets\/entries\/pages_index_client\.\S+\.js\)/,
  },
  {
    name: 'a script that loads late is away, after a deploy of half the files',
    plant: atPath(/^\/assets\/chunks\//, () => answerOf(404, NOT_FOUND)),
    named: /a file answers 404 \(at \/assets\/chunks\//,
  },
  {
    name: 'the style sheet is a page with 200',
    plant: atPath(/\.css$/, () => answerOf(200, MAINTENANCE)),
    named:
      /a file comes as text\/html instead of text\/css \(at \/assets\/static\/page\.\S+\.css\)/,
  },
  {
    name: 'scripts come without their type',
    plant: atPath(/\.js$/, (_, answer) =>
      withHeaders(answer, { 'content-type': 'application/octet-stream' }),
    ),
    named: /a file comes as application\/octet-stream instead of text\/javascript/,
  },
  {
    name: 'a font is cut off',
    plant: atPath(/newsreader.*\.woff2$/, (_, answer) => ({
      ...answer,
      body: answer.body.subarray(0, 4096),
    })),
    named: /a file differs from the build \(at \/assets\/static\/newsreader\S+\.woff2\)/,
  },
  {
    name: 'a script has the text of another build',
    plant: atPath(/^\/assets\/entries\/pages_index_client/, (_, answer) =>
      withBody(answer, (text) => `${text}\n;`),
    ),
    named: /a file differs from the build \(at \/assets\/entries\/pages_index_client/,
  },
  {
    name: 'the film is away',
    plant: atPath('/video/film.mp4', () => answerOf(404, NOT_FOUND)),
    named: /a file answers 404 \(at \/video\/film\.mp4\)/,
  },
];
