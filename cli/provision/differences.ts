/** Differences between what PostHog has and what a file asks for, in words. */

/** More are counted only. */
const MOST = 4;

/** @returns for example `query.source.interval: "week" at PostHog, "day" in the file` */
export function differences(theirs: unknown, ours: unknown): string[] {
  const all = [...compare('', theirs, ours)];
  return all.length > MOST ? [...all.slice(0, MOST), `${all.length - MOST} more`] : all;
}

function* compare(path: string, theirs: unknown, ours: unknown): Generator<string> {
  if (isObject(theirs) && isObject(ours)) {
    for (const key of new Set([...Object.keys(ours), ...Object.keys(theirs)])) {
      yield* compare(path ? `${path}.${key}` : key, theirs[key], ours[key]);
    }
  } else if (isAbsent(theirs) && isAbsent(ours)) {
    // PostHog may write null where we write nothing.
  } else if (theirs !== ours) {
    yield `${path}: ${show(theirs)} at PostHog, ${show(ours)} in the file`;
  }
}

const isAbsent = (value: unknown) => value === null || value === undefined;
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const LONGEST = 60;

function show(value: unknown): string {
  if (isAbsent(value)) return 'absent';
  const text = JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
