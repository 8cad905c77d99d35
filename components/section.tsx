import type { ReactNode } from 'react';
import type { DrawingName } from './drawings/drawing-names.ts';
import { Illustration } from './illustration.tsx';
import { Lined, SignalLine } from './signal-line.tsx';

/** Anchors of the landing page's sections. The footer links to some of them. */
export type SectionId = 'about' | 'how-it-works' | 'benefits' | 'privacy' | 'impact' | 'register';

interface Props {
  /** The heading's id. A link to it also moves the focus, and with it a screen reader. */
  id: SectionId;
  title: string;
  /**
   * Makes the section a landmark (role `region`) named by its title. Use it only for a section that
   * visitors look for, because screen readers announce each landmark on entering and leaving.
   */
  isLandmark?: boolean;
  /** Another background than paper. landing.css has its colours. */
  ground?: 'band' | 'call';
  className?: string;
  children: ReactNode;
}

interface SectionProps extends Props {
  /** One sentence that sums up the section, shown with the heading. */
  intro?: string;
  /** Classes of the signal line beside the heading: how far it reaches up and down. */
  line?: string;
  headClassName?: string;
  /** Classes of the section's columns in wide windows. */
  columns?: string;
}

/** A section of the landing page with the signal line at its left. */
export function Section(props: SectionProps) {
  const {
    intro,
    line = '[--up:var(--pad)]',
    headClassName,
    columns = '',
    children,
    ...band
  } = props;
  return (
    <Band {...band} gridClassName={`pl-rail ${columns}`.trim()}>
      <Lined line={line} {...(headClassName && { className: headClassName })}>
        <div data-reveal="">
          <Title {...band} />
          {intro && <p className="mt-4 text-lede text-balance lg:max-w-lede">{intro}</p>}
        </div>
      </Lined>
      {children}
    </Band>
  );
}

/**
 * A section of the landing page with two columns in wide windows: heading and drawing on the left,
 * the other content on the right, and the signal line between them.
 */
export function AxisSection({
  illustration,
  children,
  ...band
}: Props & { illustration: DrawingName }) {
  return (
    <Band
      {...band}
      gridClassName="pl-rail lg:grid lg:grid-cols-[38%_1fr] lg:grid-rows-[auto_1fr] lg:items-start lg:pl-0"
    >
      <SignalLine shape="run" className="[--down:var(--pad)] [--up:var(--pad)] lg:left-axis" />
      <div className="pb-6 lg:pr-8 lg:pb-8" data-reveal="">
        <Title {...band} />
      </div>
      <Illustration name={illustration} className="joins" />
      <div className="lg:mt-3 lg:ml-rail lg:[grid-area:1/2/3]">{children}</div>
    </Band>
  );
}

/** The `section` element: a band as wide as the window, with the page's grid in its middle. */
function Band(props: Omit<Props, 'title'> & { gridClassName: string }) {
  return (
    <section
      {...(props.isLandmark && { 'aria-labelledby': props.id })}
      className={`isolate py-pad ${props.className ?? ''}`.trim()}
      data-ground={props.ground}
    >
      <div className={`relative mx-auto w-page ${props.gridClassName}`}>{props.children}</div>
    </section>
  );
}

function Title({ id, title }: Pick<Props, 'id' | 'title'>) {
  return (
    <h2 id={id} tabIndex={-1} className="lg:max-w-heading">
      {title}
    </h2>
  );
}
