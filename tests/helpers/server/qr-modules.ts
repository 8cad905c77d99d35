/**
 * Reads QR codes from SVG and PNG: rows of their modules, `#` for a dark one, space for a light.
 */
import { PNG } from 'pngjs';

/** Returns the rows of an SVG, including its white edge. */
export function modulesOfSvg(svg: string): string[] {
  const [start = 0, , size = 0] = (/viewBox="([^"]+)"/.exec(svg)?.[1] ?? '').split(' ').map(Number);
  const rows = Array.from({ length: size }, () => Array<boolean>(size).fill(false));
  for (const outline of (/ d="([^"]+)"/.exec(svg)?.[1] ?? '').split('Z').filter(Boolean)) {
    const corners = outline.split(/[ML]/).filter(Boolean);
    const points = corners.map((corner) => corner.split(' ').map((value) => Number(value) - start));
    points.forEach(([x = 0, y = 0], place) => {
      const [nextX, nextY = 0] = points[(place + 1) % points.length] ?? [];
      if (nextX !== x) return;
      // A vertical piece of the outline inverts all modules to its right (the even-odd rule).
      for (let row = Math.min(y, nextY); row < Math.max(y, nextY); row += 1)
        for (let column = x; column < size; column += 1) {
          const cells = rows[row] ?? [];
          cells[column] = !cells[column];
        }
    });
  }
  return rows.map((row) => row.map((isOn) => (isOn ? '#' : ' ')).join(''));
}

/**
 * Returns the size of a PNG in pixels, the width of its white edge in modules, and the rows inside.
 *
 * @throws if the pixels of a module differ
 */
export function modulesOfPng(file: Uint8Array) {
  const { width, height, data } = PNG.sync.read(Buffer.from(file));
  const rows = Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (_, x) => (data[4 * (y * width + x)] === 0 ? '#' : ' ')).join(''),
  );
  const edge = rows.findIndex((row) => row.includes('#'));
  // The code is a square, whose first row has dark modules at both ends.
  const end = (rows[edge] ?? '').lastIndexOf('#') + 1;
  const inside = rows.slice(edge, end).map((row) => row.slice(edge, end));
  // The first row of a code begins with seven dark modules, so that their pixels give the scale.
  const scale = (/^#+/.exec(inside[0] ?? '')?.[0].length ?? 0) / 7;
  const modules = inside
    .filter((_, y) => y % scale === 0)
    .map((row) =>
      Array.from(row)
        .filter((_, x) => x % scale === 0)
        .join(''),
    );
  const whole = modules.flatMap((row) =>
    Array<string>(scale).fill(Array.from(row, (module) => module.repeat(scale)).join('')),
  );
  if (whole.join('\n') !== inside.join('\n')) throw new Error('A module is not one square.');
  return { width, height, edgeInModules: edge / scale, modules };
}
