/** The contract of every click index. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { ClickIndex, ClickRow } from '../../../../server/clicks/index/click-index.ts';

export const idOf = (n: number) => `019c1234-5678-7abc-8def-${String(n).padStart(12, '0')}`;

export function rowOf(n: number, parts: Partial<ClickRow> = {}): ClickRow {
  return { id: idOf(n), event: 'hero_cta_click', day: '2026-01-31', isBot: false, ...parts };
}

export const placeAt = (offset: number) => ({ file: '17', offset, first: idOf(0) });
export const at = (offset: number) => async () => placeAt(offset);

/** Opens the index as a starting server does. */
export async function beginWith(clickIndex: ClickIndex): Promise<ClickIndex> {
  await clickIndex.position();
  return clickIndex;
}

/** Converts counts to plain data. */
export async function countsOf(clickIndex: ClickIndex) {
  const { total, perDay } = await clickIndex.counts();
  return {
    total: Object.fromEntries(total),
    perDay: Object.fromEntries(
      [...perDay].map(([day, counts]) => [day, Object.fromEntries(counts)]),
    ),
  };
}

/** @param makePlace makes an empty index for one test; `open` opens it, also again after `close` */
export function describeClickIndex(
  name: string,
  makePlace: () => Promise<{ open: () => ClickIndex }>,
) {
  describe(`the index on ${name}`, () => {
    let open: () => Promise<ClickIndex>;
    beforeEach(async () => {
      const place = await makePlace();
      open = () => beginWith(place.open());
    });

    test('takes each id once, in a group and over groups', async () => {
      const clickIndex = await open();
      const rows = [rowOf(2), rowOf(1), rowOf(2)];
      expect(await clickIndex.commitGroup(rows, at(10))).toEqual([true, true, false]);
      expect(await clickIndex.commitGroup([rowOf(1), rowOf(3)], at(20))).toEqual([false, true]);
      expect((await countsOf(clickIndex)).total).toEqual({ hero_cta_click: 3 });
    });

    test('passes the new lines to the ledger before it commits them', async () => {
      const clickIndex = await open();
      await clickIndex.commitGroup([rowOf(1)], at(10));
      const told: boolean[][] = [];
      await clickIndex.commitGroup([rowOf(1), rowOf(2)], async (fresh) => {
        told.push([...fresh]);
        return at(20)();
      });
      expect(told).toEqual([[false, true]]);
    });

    test('forgets a group that the ledger could not take', async () => {
      const clickIndex = await open();
      await clickIndex.commitGroup([rowOf(1)], at(10));
      const failing = clickIndex.commitGroup([rowOf(2)], async () => {
        throw new Error('the disk is full');
      });
      await expect(failing).rejects.toThrow('the disk is full');
      expect(await clickIndex.position()).toEqual(placeAt(10));
      expect(await clickIndex.commitGroup([rowOf(2)], at(20))).toEqual([true]);
      expect((await countsOf(clickIndex)).total).toEqual({ hero_cta_click: 2 });
    });

    test('remembers ids, counts and the ledger’s position', async () => {
      const before = await open();
      expect(await before.position()).toBeNull();
      await before.commitGroup([rowOf(1)], at(4_000_000_000));
      await before.close();
      const clickIndex = await open();
      expect(await clickIndex.position()).toEqual(placeAt(4_000_000_000));
      expect(await clickIndex.commitGroup([rowOf(1)], at(20))).toEqual([false]);
      expect((await countsOf(clickIndex)).total).toEqual({ hero_cta_click: 1 });
    });

    test('counts people’s clicks per day and event, and leaves robots out, over restarts', async () => {
      const clickIndex = await open();
      const rows = [
        rowOf(1),
        rowOf(2, { isBot: true }),
        rowOf(3, { event: 'lower_cta_click' }),
        rowOf(4, { day: '2026-02-01' }),
        rowOf(5, { day: '2026-02-02', isBot: true }),
      ];
      await clickIndex.commitGroup(rows, at(10));
      const counts = {
        total: { hero_cta_click: 2, lower_cta_click: 1 },
        perDay: {
          '2026-01-31': { hero_cta_click: 1, lower_cta_click: 1 },
          '2026-02-01': { hero_cta_click: 1 },
        },
      };
      expect(await countsOf(clickIndex)).toEqual(counts);
      await clickIndex.close();
      const again = await open();
      expect(await countsOf(again)).toEqual(counts);
      // The index also has a robot's click, so that the ledger has it once.
      expect(await again.commitGroup(rows, at(20))).toEqual(rows.map(() => false));
    });

    test('takes an empty group, to store its position', async () => {
      const clickIndex = await open();
      expect(await clickIndex.commitGroup([], at(30))).toEqual([]);
      expect(await clickIndex.position()).toEqual(placeAt(30));
    });

    test('takes ids of any time, and lines of old ledgers', async () => {
      const clickIndex = await open();
      const rows = [
        rowOf(1, { id: '00000000-0000-7000-8000-000000000000' }),
        rowOf(2, { id: 'ffffffff-ffff-7fff-bfff-ffffffffffff' }),
        rowOf(3, { event: 'an event of \ud800 long ago', day: 'no day' }),
      ];
      expect(await clickIndex.commitGroup(rows, at(10))).toEqual([true, true, true]);
      expect(await clickIndex.commitGroup(rows, at(20))).toEqual([false, false, false]);
    });
  });
}
