import { beforeEach, expect, test, vi } from 'vitest';
import { keepQuery } from '#browser/inline/keep-query.ts';
import { readQuery } from '#contract/ref.ts';
import { sourceParameters } from '#contract/visit.ts';

const links = [{ search: '' }];
let parsed = () => {};

beforeEach(() => {
  links.splice(0, links.length, { search: '' });
  vi.stubGlobal('document', { querySelectorAll: () => links });
  vi.stubGlobal(
    'MutationObserver',
    class {
      constructor(callback: () => void) {
        parsed = callback;
      }
      observe() {}
    },
  );
});

test.each([
  ['', ''],
  ['?other=1&gclid=secret', ''],
  ['?ref=&utm_source=', ''],
  ['?ref=clinic%207', 'ref=clinic%207'],
  ['?ref=a+b%2Bc', 'ref=a%20b%2Bc'],
  ['?gclid=secret&ref=one&utm_source=leaflet', 'ref=one&utm_source=leaflet'],
  ['?utm_source=leaflet&ref=one&ref=two', 'utm_source=leaflet&ref=one&ref=two'],
  ['?ref=%26internal', 'ref=%26internal'],
  // A joined query is no part of the ref.
  ['?ref=%26internal%3D1', ''],
  ['?xref=1&utm_=2', ''],
  // As a mail program may write the link. The joined parameters are read as if it had not.
  ['?REF=clinic-7&amp;UTM_Source=mail?fbclid=secret', 'ref=clinic-7&utm_source=mail'],
  ['?ref%3Dclinic-7%26utm_source%3Dmail', 'ref=clinic-7&utm_source=mail'],
])('of %j the links keep %j', (search, kept) => {
  keepQuery(sourceParameters(readQuery(search)));
  expect(links).toEqual([{ search: kept }]);
});

test('a link that the browser parses later has the query too', () => {
  keepQuery([['ref', 'one']]);
  for (const place of [1, 2]) {
    links.push({ search: '' });
    parsed();
    expect(links[place]).toEqual({ search: 'ref=one' });
  }
});
