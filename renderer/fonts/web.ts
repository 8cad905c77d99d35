/* Made by tools/fonts/subset-fonts.ts; change it there. Licences: LICENSE.md beside this file. */
import atkinsonText from './atkinson-text.woff2?url';
import newsreaderDisplay from './newsreader-display.woff2?url';

export const WEB_FONTS = [
  { family: 'Newsreader', weight: '480', url: newsreaderDisplay },
  { family: 'Atkinson Hyperlegible Next', weight: '400 700', url: atkinsonText },
];
