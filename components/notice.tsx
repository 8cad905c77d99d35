import type { ReactElement, ReactNode } from 'react';
import type { DrawingName } from './drawings/drawing-names.ts';
import { Illustration } from './illustration.tsx';
import { SiteHeader } from './site-header.tsx';

interface Props {
  /** A large inline drawing, or the name of a small one, beside which the card is wider. */
  drawing: ReactElement | DrawingName;
  children: ReactNode;
}

/** The layout of a page with one message: a card beside a drawing. */
export function Notice({ drawing, children }: Props) {
  const isSmall = typeof drawing === 'string';
  return (
    <>
      <SiteHeader />
      <main
        id="main"
        tabIndex={-1}
        className={`mx-auto grid w-page items-center gap-12 pt-12 pb-20 ${isSmall ? 'lg:grid-cols-[7fr_5fr]' : 'lg:grid-cols-[5fr_6fr]'}`}
      >
        <div className="grid justify-items-start gap-6 border-pen bg-card p-inset print:border-0 print:p-0">
          {children}
        </div>
        {isSmall ? <Illustration name={drawing} className="mx-auto w-96" /> : drawing}
      </main>
    </>
  );
}
