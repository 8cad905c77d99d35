/**
 * Faults (mutants) to plant into a copy of the tree. `npm run bench -- simulate --plant` shows
 * whether the simulation finds each of them.
 */
export interface PlantedFault {
  /** The file to change, which has the text `search` exactly once. */
  file: string;
  search: string;
  replacement: string;
}

const inFile = (file: string, ...pairs: [search: string, replacement: string][]): PlantedFault[] =>
  pairs.map(([search, replacement]) => ({ file, search, replacement }));

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: these are texts of files.
export const PLANTED_FAULTS: PlantedFault[] = [
  ...inFile(
    'browser/clicks/deliver.ts',
    [
      "if (outcome.kind === 'retry') {",
      "if (outcome.kind === 'retry') {\n      outbox.remove(click.id);",
    ],
    [
      '      sendAsBeacons(pending, dependencies);',
      '      for (const id of pending.keys()) outbox.remove(id);\n      sendAsBeacons(pending, dependencies);',
    ],
    ['      retries.schedule();\n      return false;', '      return false;'],
  ),
  ...inFile(
    'browser/clicks/send-click.ts',
    ['if (status === 200 && isConfirmed && answer.id === id)', 'if (status === 200)'],
    [
      "400: ['validation_failed', 'malformed_json'],",
      "400: ['validation_failed', 'malformed_json', 'id_ahead'],\n  403: [undefined],",
    ],
  ),
  ...inFile(
    'browser/clicks/outbox.ts',
    ['const EXPIRES_AFTER_MS = 7 * 24', 'const EXPIRES_AFTER_MS = 1 * 24'],
    [
      'if (text !== null) texts.set(key.slice(OUTBOX_PREFIX.length), text);',
      'if (text !== null) texts.set(key, text);',
    ],
  ),
  ...inFile(
    'server/clicks/record-clicks.ts',
    ['      clickLog.flush();\n', ''],
    [
      'const stored = await db.transaction(storeClicks, clicks, storeOptions, Date.now());',
      "const stored = await db.transaction(storeClicks, clicks, storeOptions, Date.now()).catch(() => clicks.map(() => 'duplicate' as const));",
    ],
  ),
  ...inFile('server/database/group-commit.ts', [
    'for (const { reject } of [...committing, ...waiting.splice(0)]) reject(cause);',
    "for (const { resolve } of [...committing, ...waiting.splice(0)]) resolve('duplicate' as Result);",
  ]),
  ...inFile('server/database/write-health.ts', ['    fault = null;\n  };', '  };']),
  ...inFile(
    'server/clicks/store-clicks.ts',
    [
      'session.runEach(ADD_TO_COUNT, countsOf(newClicks, server)),',
      'session.runEach(ADD_TO_COUNT, countsOf(clicks, server)),',
    ],
    ['toPosthog && queueClicks(session, newIds, now),', ''],
    ['[...countsOf(after, server), ...countsOf(before, server, -1)]', 'countsOf(after, server)'],
    ['if (toPosthog) await queueClicks(session, newlyKnownIds, now);', ''],
    ['clicks.filter(({ is_internal }) => !is_internal);', 'clicks.filter(() => true);'],
  ),
  ...inFile(
    'server/clicks/click-log.ts',
    ["if (stored === 'forgotten')", "if (stored === 'logged')"],
    [
      "log.info(lineOf(click, stored === 'duplicate' || undefined));",
      'log.info(lineOf(click, undefined));',
    ],
  ),
  ...inFile(
    'server/clicks/daily-file.ts',
    ['    endLastLine(file);\n', ''],
    [
      'if (file !== null && fstatSync(file).ino !== ino) close();\n',
      'if (file !== null) return file;\n',
    ],
  ),
  ...inFile(
    'server/posthog/sender.ts',
    ['if (STORED_VERDICTS.includes(result)) settled', "if (result !== 'drop') settled"],
    ['if (rows.length === 0) return false;', 'if (rows.length < 2) return false;'],
    [
      "if ('badBatch' in answer && rows.length > 1) {",
      "if ('badBatch' in answer && rows.length > 100) {",
    ],
    ['DAY_MS && attempts + 1 >= MIN_ATTEMPTS;', 'DAY_MS || attempts + 1 >= MIN_ATTEMPTS;'],
  ),
  ...inFile(
    'server/posthog/outbox.ts',
    ["'NOT is_private AND is_known AND", "'is_known AND"],
    [
      'attempts = attempts + 1, due_at = $2, retry_since',
      'attempts = attempts + 1, due_at = $2 + 864000000, retry_since',
    ],
    ['deleted = await Promise.all(uuids.map(', 'deleted = await Promise.all(uuids.slice(1).map('],
  ),
  ...inFile(
    'server/visits/store-views.ts',
    [
      'const newViews = new Set(inserted.map((index) => sorted[index]));',
      'const newViews = new Set(inserted.length < 0 ? [] : sorted);',
    ],
    ["await session.insertNew('visits', 'id', rows);", 'rows.map((_, place) => place);'],
    ['(newViews.has(view) && view.event) || []', '(newViews.has(view) && null) || []'],
  ),
  ...inFile(
    'server/visits/view.ts',
    ['!row.is_bot && !row.is_internal;', '!row.is_bot;'],
    ['id: sent.id ?? randomUUID(),', 'id: randomUUID(),'],
    ['is_first: sent.is_first,', 'is_first: true,'],
  ),
  ...inFile(
    'server/registrations/mails.ts',
    [
      '    if (unsettled) await write(db, ...unsettled);',
      '    if (unsettled) await write(db, ...unsettled).catch(() => {});',
    ],
    [
      "if (kind === 'away') return [POSTPONE_MAIL, [id, attempts, now]];",
      "if (kind === 'away') return [DELETE_SENT_MAIL, [id]];",
    ],
  ),
  ...inFile(
    'server/visits/store-views.ts',
    ['(newViews.has(view) && view.event) || []', 'view.event || []'],
    [
      "const inserted = await session.insertNew('visits', 'id', rows);",
      'const inserted = rows.keys();',
    ],
  ),
  ...inFile('server/visits/view.ts', [
    'site.posthogKey !== null && !row.is_bot && !row.is_internal',
    'site.posthogKey !== null && !row.is_bot',
  ]),
  ...inFile('server/visits/log-view.ts', [
    'const isNew = await queue.add(view).catch(throwNotKept);',
    'const isNew = await queue.add(view).catch(() => false);',
  ]),
  ...inFile(
    'server/registrations/store-registrations.ts',
    [
      'if ((await run(FIND_AND_REWRITE, [hash])).length > 0) return false;',
      'if ((await run(FIND_AND_REWRITE, [hash])).length > 5) return false;',
    ],
    ['const waitDays = Math.max(daysOfMailbox, days);', 'const waitDays = days;'],
  ),
  ...inFile(
    'server/old-data.ts',
    ["old: ['received_at < $1 AND id < $2',", "old: ['received_at > $1 AND id < $2',"],
    ['(file: DailyFile) => file.day < dayOf(before);', "(file: DailyFile) => file.day !== '';"],
  ),
  ...inFile('server/clicks/empty-old-clicks.ts', [
    'return at === null || firstDay + DAY_MS > before ? null : firstDay;',
    'return at === null ? null : firstDay;',
  ]),
  ...inFile('server/clicks/identifying-columns.ts', ["'user_agent', ", '']),
  ...inFile('server/clicks/forget-rows.ts', [
    '  await emptyColumns(session, columns, values);\n  return withdrawEvents',
    '  return withdrawEvents',
  ]),
  ...inFile('browser/clicks/outbox.ts', [
    'const text = JSON.stringify(click);',
    'const text = JSON.stringify({ ...click, is_scripted: undefined });',
  ]),
  ...inFile('server/clicks/counted-rows.ts', [' AND NOT is_automated', '']),
  ...inFile(
    'server/visits/view.ts',
    ['id: sent.id ?? randomUUID(),', 'id: (sent.is_brief ? undefined : sent.id) ?? randomUUID(),'],
    ['is_automated: sent.is_automated ?? false,', 'is_automated: false,'],
  ),
  ...inFile('server/visits/store-views.ts', [
    'view.row.is_brief && !newViews.has(view)',
    'view.row.is_brief && newViews.has(view)',
  ]),
  ...inFile('server/posthog/make-event.ts', [
    'is_automated: Boolean(facts.is_automated),',
    'is_automated: false,',
  ]),
  ...inFile('server/posthog/read-events.ts', [
    'is_automated: properties.is_automated,',
    'is_automated: false,',
  ]),
  ...inFile('server/clicks/import-clicks.ts', [
    'is_automated: line.is_automated ?? false,',
    'is_automated: false,',
  ]),
  ...inFile('server/clicks/blank-lines.ts', ["  'is_automated',\n", '']),
  ...inFile('server/report/figures/figure-query.ts', [
    'COUNT(CASE WHEN is_brief THEN',
    'COUNT(CASE WHEN is_first THEN',
  ]),
];

// biome-ignore-end lint/suspicious/noTemplateCurlyInString: these are texts of files.

/** Files in which faults are drawn. */
export const FILES = [...new Set(PLANTED_FAULTS.map(({ file }) => file))];

/** Mutations: of comparisons, conditions, `await`, signs, and conditions of SQL. */
const CHANGES: [pattern: RegExp, replacement: string][] = [
  [/ < /g, ' >= '],
  [/ > /g, ' <= '],
  [/ === /g, ' !== '],
  [/ && /g, ' || '],
  [/\bawait /g, ''],
  [/ \+ /g, ' - '],
  [/ AND /g, ' OR '],
  [/ IS NULL/g, ' IS NOT NULL'],
];

/**
 * Draws faults at random.
 *
 * @param count number of faults
 * @param readFile returns the text of a file
 * @param random returns a number from 0 to below 1
 */
export function drawFaults(
  count: number,
  readFile: (file: string) => string,
  random: () => number,
): PlantedFault[] {
  const places = FILES.flatMap((file) => placesOf(file, readFile(file)));
  return Array.from({ length: count }, () => {
    const [place] = places.splice(Math.floor(random() * places.length), 1);
    if (!place) throw new Error('There are too few places for so many faults.');
    return place;
  });
}

/** Returns all mutations of a file, in lines of code that the file has only once. */
function placesOf(file: string, text: string): PlantedFault[] {
  const lines = text
    .split('\n')
    .filter((line) => !/^\s*(\/?\*|\/\/|import|export type)/.test(line));
  const single = lines.filter((line) => text.split(line).length === 2);
  return single.flatMap((line) =>
    CHANGES.flatMap(([pattern, replacement]) =>
      [...line.matchAll(pattern)].map(({ index, 0: found }) => ({
        file,
        search: line,
        replacement: line.slice(0, index) + replacement + line.slice(index + found.length),
      })),
    ),
  );
}
