import { expect, test } from 'vitest';
import { parseCampaigns } from '../../../server/links/campaigns.ts';

const CLINIC = {
  code: 'clinic-7',
  label: 'Children’s clinic, Springfield',
  channel: 'clinic',
  since: '2026-01-31',
};
const parse = (entries: unknown) => parseCampaigns(JSON.stringify(entries), 'campaigns.json');
const faultsOf = (entries: unknown) => {
  try {
    parse(entries);
  } catch (error) {
    return (error as Error).message.split('\n  ').slice(1);
  }
  return [];
};

test('reads entries, also behind a byte order mark', () => {
  expect(parse([CLINIC])).toEqual([CLINIC]);
  expect(parseCampaigns(`\uFEFF${JSON.stringify([CLINIC])}`, 'x')).toEqual([CLINIC]);
  expect(parse([])).toEqual([]);
});

test('names every faulty entry, its field, and what to write', () => {
  const { label: _, ...unlabelled } = CLINIC;
  expect(
    faultsOf([
      CLINIC,
      { ...CLINIC, code: 'clinic 8' },
      { ...CLINIC, code: 9 },
      { ...unlabelled, code: 'clinic-10' },
      { ...CLINIC, code: 'clinic-11', channel: 'A Clinic', since: '31.1.2026' },
      'clinic-12',
      { ...CLINIC, code: 'clinic-13', lable: 'typing error' },
    ]),
  ).toEqual([
    expect.stringMatching(/^entry 2 \(clinic 8\): "code" must be 1 to 64 letters/),
    expect.stringMatching(/^entry 3: "code" must be 1 to 64 letters/),
    'entry 4 (clinic-10): "label" must be a text for the report, such as a name',
    'entry 5 (clinic-11): "channel" must be a word in small letters, such as clinic',
    'entry 5 (clinic-11): "since" must be a date, such as 2026-01-31',
    'entry 6: must be { "code", "label", "channel", "since" }',
    expect.stringMatching(/^entry 7 \(clinic-13\): .*lable/),
  ]);
});
