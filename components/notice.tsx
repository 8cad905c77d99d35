import type { ReactNode } from 'react';
import { SiteHeader } from './site-header.tsx';

/** A page with one message in a card, and optionally a drawing. */
export function Notice({ drawing, children }: { drawing?: ReactNode; children: ReactNode }) {
  return (
    <>
      <SiteHeader />
      <main
        id="main"
        tabIndex={-1}
        className="mx-auto grid w-page items-center gap-12 pt-12 pb-20 lg:grid-cols-[5fr_6fr]"
      >
        <div className="grid justify-items-start gap-6 border-pen bg-card p-inset">{children}</div>
        {drawing}
      </main>
    </>
  );
}

export function NoticeTitle({ children }: { children: string }) {
  return <h1 className="font-display text-h1">{children}</h1>;
}
