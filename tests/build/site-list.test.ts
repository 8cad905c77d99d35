/** The public list of sites becomes server/http/public-sites.json. */
import { expect, test } from 'vitest';
import { readSites } from '../../build/write-site-list.ts';

const NETWORKS = `
Facebook:
  - facebook.com
  - l.facebook.com
  - facebook.com/groups
'Google%2B':
  - plus.google.com
Only Paths:
  - x.com/i/grok
`;

test('a network has its hosts with all below them, each once, and no path', () => {
  expect(readSites(NETWORKS, false)).toEqual({
    Facebook: '*.facebook.com',
    'Google+': '*.plus.google.com',
  });
});

const ENGINES = `
Bing:
  - urls: [bing.com, '{}.bing.com', www.bing.com]
    params: [q]
Google:
  - urls: [www.google.com, 'google.{}', encrypted.google.com]
Google Images:
  - urls: [images.google.com]
`;

test('an engine has its own hosts only, its countries, and its searches for images', () => {
  expect(readSites(ENGINES, true)).toEqual({
    Bing: '*.bing.com',
    Google: 'google.com google.* encrypted.google.com images.google.com',
  });
});
