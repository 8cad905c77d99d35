import { beforeEach, expect, test, vi } from 'vitest';
import { keepQuery } from '#browser/inline/keep-query.ts';
import { readQuery } from '#contract/ref.ts';
import { carriedBy } from '#contract/visit.ts';

const links = [{ search: '' }];
let parsed = () => {};
let window: EventTarget;

beforeEach(() => {
  window = new EventTarget();
  links.splice(0, links.length, { search: '' });
  vi.stubGlobal('addEventListener', window.addEventListener.bind(window));
  vi.stubGlobal('document', { querySelectorAll: () => links });
  vi.stubGlobal(
    'MutationObserver',
    class {
      constructor(callback: () => void) {
        parsed = callback;
      }
      observe() {}
      disconnect() {
        parsed = () => {};
      }
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
  keepQuery(carriedBy(readQuery(search)));
  expect(links).toEqual([{ search: kept }]);
});

test('a link that the browser parses later has the query too, also in the last step', () => {
  keepQuery([['ref', 'one']]);
  links.push({ search: '' });
  parsed();
  expect(links[1]).toEqual({ search: 'ref=one' });
  links.push({ search: '' });
  window.dispatchEvent(new Event('DOMContentLoaded'));
  expect(links[2]).toEqual({ search: 'ref=one' });
});
