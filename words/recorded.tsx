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
} from '#contract/recorded.ts';
import { type Definition, definitions } from './definitions.tsx';

/** A term and its description. */
type Pair = readonly [term: string, text: string];

/** The words of one language. Null: there is nothing to say with these settings. */
export interface RecordedWords {
  requests: Record<RequestName, Pair>;
  stored: Record<StoredKey, Pair>;
  fields: Record<FieldGroup, Pair | null>;
  events: Record<keyof typeof EVENTS, Pair>;
  properties: Record<PropertyGroup, Pair>;
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
      .map((key) => ({ term: words.stored[key][0], name: key, text: words.stored[key][1] })),
  );

export const fieldList = (words: RecordedWords) =>
  definitions(
    Object.values(words.fields)
      .filter((pair) => pair !== null)
      .map(([term, text]) => ({ term, text })),
  );

/** The events of the tracking plan that can happen. */
export const eventList = (words: RecordedWords, { registerForm }: RecordingFacts) =>
  definitions(
    keysOf(EVENTS)
      .filter((event) => registerForm || !event.startsWith('registration_'))
      .map((event) => ({
        term: words.events[event][0],
        name: event,
        text: words.events[event][1],
      })),
  );

/** What each event carries. */
export const propertyList = (words: RecordedWords) =>
  definitions(
    keysOf(PROPERTIES).map((group) => ({
      term: words.properties[group][0],
      name: PROPERTIES[group].join(' '),
      text: words.properties[group][1],
    })),
  );
