/**
 * The field of the e-mail address. It asks about a domain that is probably mistyped. The form can
 * be sent without an answer.
 */
import { type RefObject, useRef, useState } from 'react';
import type { FormWords } from '#words/en/form.ts';
import { domainOf, suggestDomain } from './suggest-domain.ts';
import { type FieldProps, TextField } from './text-field.tsx';

const ANSWER =
  'min-h-11 rounded-control border-fine border-line bg-paper px-4 py-1.5 font-bold hover:border-ink';

export function EmailField({ words, ...field }: FieldProps & { words: FormWords }) {
  const input = useRef<HTMLInputElement>(null);
  const { isReady, domain, prepare, ask, askOnceLeft, take, keep } = useQuestion(input);
  return (
    <TextField
      {...field}
      ref={input}
      type="email"
      autoComplete="email"
      onFocus={prepare}
      onInput={() => ask(true)}
      onBlur={askOnceLeft}
    >
      {isReady && (
        // A screen reader announces what appears in a part that was there before.
        <div className={domain ? undefined : 'sr-only'} aria-live="polite">
          {domain && (
            <div className="grid gap-2">
              <p>{words.didYouMean(domain)}</p>
              <div className="flex flex-wrap gap-3.5">
                <button type="button" className={ANSWER} onClick={take}>
                  {words.takeDomain(domain)}
                </button>
                <button type="button" className={ANSWER} onClick={keep}>
                  {words.keepDomain}
                </button>
              </div>
            </div>
          )}
        </div>
      )}
    </TextField>
  );
}

/**
 * The question's state. Its answers put the focus back into the field, because their buttons go.
 */
function useQuestion(input: RefObject<HTMLInputElement | null>) {
  const [isReady, setReady] = useState(false);
  const [domain, setDomain] = useState<string | null>(null);
  const kept = useRef('');

  const ask = (isTyping: boolean) => {
    const { value = '' } = input.current ?? {};
    const isKept = domainOf(value) === kept.current;
    setDomain(isKept ? null : suggestDomain(value, isTyping));
  };
  /**
   * Lets the press or the key that leaves the field end first: the question moves what is below.
   */
  const askOnceLeft = () => {
    const done = new AbortController();
    const askLater = () => {
      done.abort();
      setTimeout(() => ask(false));
    };
    for (const end of ['click', 'keyup'])
      document.addEventListener(end, askLater, { signal: done.signal });
  };
  const take = () => {
    const field = input.current;
    if (!field) return;
    field.value = field.value.slice(0, field.value.lastIndexOf('@') + 1) + domain;
    field.focus();
    // The form reads it as typed text.
    field.dispatchEvent(new Event('input', { bubbles: true }));
  };
  const keep = () => {
    kept.current = domainOf(input.current?.value ?? '');
    setDomain(null);
    input.current?.focus();
  };
  return { isReady, domain, prepare: () => setReady(true), ask, askOnceLeft, take, keep };
}
