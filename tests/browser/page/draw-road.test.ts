import { beforeEach, expect, test, vi } from 'vitest';
import { drawRoad } from '#browser/page/draw-road.ts';

type Piece = { dataset: { road?: string }; closest: () => Piece | null };

let window: EventTarget;
let report = (_: object[]) => {};
let isObserving = true;

beforeEach(() => {
  window = new EventTarget();
  isObserving = true;
  vi.stubGlobal('innerHeight', 800);
  vi.stubGlobal('addEventListener', window.addEventListener.bind(window));
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(callback: (entries: object[]) => void) {
        report = callback;
      }
      observe() {}
      disconnect() {
        isObserving = false;
      }
    },
  );
});

/** Draws a road of pieces with these tops. */
function draw(...tops: number[]) {
  const pieces = tops.map(() => {
    const piece: Piece = {
      dataset: {},
      closest: () => (piece.dataset.road === undefined ? null : piece),
    };
    return piece;
  });
  drawRoad(pieces as never);
  report(pieces.map((target, i) => ({ target, boundingClientRect: { top: tops[i] } })));
  return pieces;
}

/** Ends an animation inside a piece. */
function end(target: Piece | undefined, animationName: string): void {
  const event = Object.assign(new Event('animationend'), { animationName });
  Object.defineProperty(event, 'target', { value: target });
  window.dispatchEvent(event);
}

test('only the pieces below the view wait, and no later report changes that', () => {
  const roads = draw(-100, 400, 800, 801).map(({ dataset }) => dataset.road);
  expect(roads).toEqual([undefined, undefined, undefined, 'waiting']);
  expect(isObserving).toBe(false);
});

test('a piece that is drawn stays', () => {
  const [piece] = draw(2000);
  end(piece, 'road');
  expect(piece?.dataset.road).toBe('drawn');
});

test('another animation, and the end of a piece that never waited, change nothing', () => {
  const [above, below] = draw(0, 2000);
  end(below, 'another');
  end(above, 'road');
  expect([above?.dataset.road, below?.dataset.road]).toEqual([undefined, 'waiting']);
});
