/** Joins the lists of contract/recorded.ts and the tracking plan with words in one language. */
import { EVENTS } from '#contract/events.ts';
import {
  type FieldGroup,
  PROPERTIES,
  type PropertyGroup,
  REQUESTS,
  type RecordingFacts,
  type RequestName,
  STORED,
  type StoredKey,
  VISIT_FIELDS,
  type VisitGroup,
} from '#contract/recorded.ts';
import { bullets, type Definition, definitions } from './definitions.tsx';

/** A term and its description. */
type Pair = readonly [term: string, text: string];

/** The words of one language. Null: there is nothing to say with these settings. */
export interface RecordedWords {
  requests: Record<RequestName, Pair>;
  stored: Record<StoredKey, Pair>;
  fields: Record<FieldGroup, Pair | null>;
  visit: Record<VisitGroup, string>;
  /** Null: the words of the event before it are for this one, too. */
  events: Record<keyof typeof EVENTS, string | null>;
  /** What each event carries. Without the names of the properties, because 25 of them would make the list hard to read. */
  properties: Record<PropertyGroup, string>;
}

const keysOf = <T extends object>(list: T) => Object.keys(list) as (keyof T)[];

export const requestList = (words: RecordedWords, facts: RecordingFacts) =>
  definitions(
    keysOf(REQUESTS).flatMap((key): Definition[] => {
      const name = REQUESTS[key].to(facts);
      const [term, text] = words.requests[key];
      return name ? [{ term, name, text }] : [];
    }),
  );

export const storedList = (words: RecordedWords, facts: RecordingFacts) =>
  definitions(
    keysOf(STORED)
      .filter((key) => STORED[key](facts))
      .map((key) => ({
        term: words.stored[key][0],
        name: key.replace(/:$/, ':…'),
        text: words.stored[key][1],
      })),
  );

export const fieldList = (words: RecordedWords) =>
  definitions(
    Object.values(words.fields)
      .filter((pair) => pair !== null)
      .map(([term, text]) => ({ term, text })),
  );

export const visitList = (words: RecordedWords) =>
  bullets(keysOf(VISIT_FIELDS).map((group) => words.visit[group]));

/** The events of the tracking plan that can happen, each with its name. */
export function eventList(words: RecordedWords, { registerForm }: RecordingFacts) {
  const entries: { text: string; names: string }[] = [];
  for (const event of keysOf(EVENTS)) {
    if (!registerForm && event.startsWith('registration_')) continue;
    const text = words.events[event];
    const last = entries.at(-1);
    if (text !== null) entries.push({ text, names: event });
    else if (last) last.names += ` ${event}`;
  }
  return (
    <ul>
      {entries.map(({ text, names }) => (
        <li key={names}>
          {text} <code>{names}</code>
        </li>
      ))}
    </ul>
  );
}

export const propertyList = (words: RecordedWords) =>
  bullets(keysOf(PROPERTIES).map((group) => words.properties[group]));
