/**
 * The film's script: the captions and the transcript in English (words/es/film-script.ts has the Spanish ones). The captions
 * are also in public/video/film.vtt.
 *
 * The film is silent: visitors read the words below. They do not contain the product's name, because site.config.ts
 * can change the name, but not the film.
 */
export interface Caption {
  from: number;
  to: number;
  text: string;
}

export interface Scene {
  name: string;
  /** Seconds from the film's beginning. */
  start: number;
  end: number;
  captions: Caption[];
  /** Describes the picture, for visitors who read the film instead. */
  seen: string;
}

export const SCENES = [
  {
    name: 'scattered',
    start: 0,
    end: 9,
    captions: [
      {
        from: 0.5,
        to: 5.3,
        text: 'Living with spinal muscular atrophy (SMA)\nmeans many visits, tests and notes.',
      },
      { from: 5.5, to: 8.9, text: 'Each place keeps a part of your story.' },
    ],
    seen: 'Drawn in ink on warm paper: a letter, folders, lab tubes, a phone and a clinic door. A thread leaves each of them. The threads get tangled.',
  },
  {
    name: 'carried',
    start: 9,
    end: 15.5,
    captions: [
      { from: 9.1, to: 11.7, text: 'No one sees the whole picture.' },
      { from: 11.9, to: 15.4, text: 'You carry it all from door to door,\nand that is tiring.' },
    ],
    seen: 'A person in a power chair drives up and stops in front of the tangle.',
  },
  {
    name: 'gathered',
    start: 15.5,
    end: 23.5,
    captions: [
      {
        from: 15.8,
        to: 19.8,
        text: 'The Drive brings your records together\nin one private space.',
      },
      { from: 20, to: 23.3, text: 'Your story becomes one road.' },
    ],
    seen: 'The threads come loose and bend into one road with bright marks. The person drives on along it.',
  },
  {
    name: 'connect',
    start: 23.5,
    end: 29.5,
    captions: [
      { from: 23.7, to: 26.7, text: 'Step 1: choose your clinics,\nhospitals and labs.' },
      { from: 26.9, to: 29.4, text: 'Their records come together.' },
    ],
    seen: 'Beside the road, the number 1. Threads from a stack of folders and from lab tubes meet.',
  },
  {
    name: 'insight',
    start: 29.5,
    end: 36,
    captions: [
      { from: 29.6, to: 32.4, text: 'Step 2: see what your records\nsay as a whole.' },
      { from: 32.5, to: 35.9, text: 'Spot gaps in your care,\nand studies that may fit you.' },
    ],
    seen: 'Number 2. A phone on a chair’s arm shows a line, and a ring marks a gap in it.',
  },
  {
    name: 'research',
    start: 36,
    end: 42.5,
    captions: [
      { from: 36.1, to: 39.25, text: 'Step 3: if you choose,\nshare your data with research.' },
      { from: 39.35, to: 42.4, text: 'It can help answer questions\nfor others with SMA.' },
    ],
    seen: 'Number 3. Homes far from each other are joined by lines, like stars. A second person comes along the road.',
  },
  {
    name: 'privacy',
    start: 42.5,
    end: 48.5,
    captions: [
      {
        from: 42.55,
        to: 46,
        text: 'Your data is locked (encrypted).\nYou choose what to share.',
      },
      { from: 46.05, to: 48.45, text: 'You can delete your account\nat any time.' },
    ],
    seen: 'On a dark green ground, a thread leads to a door, and its key hangs on the same thread.',
  },
  {
    name: 'closing',
    start: 48.5,
    end: 55,
    captions: [
      { from: 48.6, to: 50.9, text: 'You decide which records to link.' },
      {
        from: 51,
        to: 54.9,
        text: 'If you want to join,\npress “Join the Drive” on this page.',
      },
    ],
    seen: 'A sun stands over the hill. People on foot and in power chairs go along the road together.',
  },
] as const satisfies Scene[];

export type SceneName = (typeof SCENES)[number]['name'];

export const FILM_SECONDS = 55;
