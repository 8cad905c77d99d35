/** People who register, and try again until the page says that it has worked. */
import { setTimeout as wait } from 'node:timers/promises';
import { openBrowser } from './browser.ts';

const TRY_AGAIN_MS = 3000;
/** Their addresses differ from those of the visitors. */
const FIRST = 50_000;

export interface Registered {
  email: string;
  /** Time of the answer 201, in milliseconds since 1970; null: none yet. */
  at: number | null;
}

/** @param everyMs between two people */
export function startPeople(origin: string, everyMs: number) {
  const people: Registered[] = [];
  let isOver = false;
  const register = async () => {
    const n = people.length;
    const person: Registered = { email: `person-${n}@example.org`, at: null };
    people.push(person);
    const browser = openBrowser(origin, FIRST + n, () => {});
    while (!isOver && person.at === null) {
      if (await sendForm(browser.fetch, person.email)) person.at = Date.now();
      else await wait(TRY_AGAIN_MS);
    }
    browser.close();
  };
  const timer = setInterval(() => void register(), everyMs);
  return {
    people,
    stop: () => clearInterval(timer),
    close() {
      isOver = true;
      clearInterval(timer);
    },
  };
}

async function sendForm(fetch: typeof globalThis.fetch, email: string): Promise<boolean> {
  const body = { firstName: 'Ana', lastName: 'Silva', email, agreedToTerms: true };
  const headers = { 'content-type': 'application/json' };
  return fetch('/api/register', { method: 'POST', headers, body: JSON.stringify(body) }).then(
    ({ status }) => status === 201,
    () => false,
  );
}
