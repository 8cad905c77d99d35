import { beforeEach, expect, test, vi } from 'vitest';
import { keepQuery } from '#browser/inline/keep-query.ts';

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
  ['?ref=%26internal%3D1', 'ref=%26internal%3D1'],
  ['?xref=1&utm_=2', ''],
])('of %j the links keep %j', (search, kept) => {
  keepQuery(new URLSearchParams(search));
  expect(links).toEqual([{ search: kept }]);
});

test('a link that the browser parses later has the query too, also in the last step', () => {
  keepQuery(new URLSearchParams('?ref=one'));
  links.push({ search: '' });
  parsed();
  expect(links[1]).toEqual({ search: 'ref=one' });
  links.push({ search: '' });
  window.dispatchEvent(new Event('DOMContentLoaded'));
  expect(links[2]).toEqual({ search: 'ref=one' });
});
