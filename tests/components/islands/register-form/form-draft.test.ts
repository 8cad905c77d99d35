import { beforeEach, expect, test, vi } from 'vitest';
import { loadDraft, saveDraft } from '#components/islands/register-form/form-draft.ts';
import { REGISTER_DEFAULTS } from '#contract/register.schema.ts';
import { memoryStorage } from '../../../helpers/fakes/storages.ts';

const KEY = 'register-draft';
let storage: Storage;
beforeEach(() => {
  storage = memoryStorage();
  vi.stubGlobal('sessionStorage', storage);
});

test('a stored draft is read back unchanged', () => {
  const draft = { ...REGISTER_DEFAULTS, firstName: 'Ada', agreedToTerms: true };
  saveDraft(draft);
  expect(loadDraft(null)).toEqual(draft);
});

test.each(['', '{', 'null', '5', '[]', '"text"', '{"other":1}'])(
  'storage with %j is an empty draft',
  (text) => {
    storage.setItem(KEY, text);
    expect(loadDraft(null)).toEqual(REGISTER_DEFAULTS);
  },
);

test('a field of another type is left out, and the others are kept', () => {
  const stored = { firstName: { a: 1 }, lastName: 'Lovelace', email: null, agreedToTerms: 'yes' };
  storage.setItem(KEY, JSON.stringify(stored));
  expect(loadDraft(null)).toEqual({ ...REGISTER_DEFAULTS, lastName: 'Lovelace' });
});
