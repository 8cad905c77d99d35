import type { ReactNode } from 'react';
import type { HelpWords } from '#words/help.ts';
import { LANDING } from '#words/landing.ts';
import { CaptureStub } from './capture-stub.tsx';
import { CtaLink } from './cta-link.tsx';
import { useWords } from './language.tsx';
import { SiteHeader } from './site-header.tsx';

/** A page of answers: the main message first, the sections, and the way back to the button. */
export function HelpPage({ words, children }: { words: HelpWords; children?: ReactNode }) {
  const { join } = useWords(LANDING);
  return (
    <>
      <CaptureStub />
      <SiteHeader />
      <main id="main" tabIndex={-1} className="mx-auto grid w-page justify-items-start gap-6 pb-20">
        <h1 className="font-display text-h1">{words.title}</h1>
        <p className="text-lede">{words.lead}</p>
        {children}
        <CtaLink cta="help">{join}</CtaLink>
      </main>
    </>
  );
}
