/** The objects of the fake project, with PostHog's rules for making and changing them. */
import { invalid, NOT_FOUND, type Reply } from './refusals.ts';

export type Fields = Record<string, unknown>;
export type Thing = Fields & { id: number; deleted: boolean };
export interface Tile {
  id: number;
  dashboard_id: number;
  insight_id: number | null;
  text: { id: number; body: string } | null;
  layouts: object;
  deleted: boolean;
}
export type List = 'dashboards' | 'insights' | 'annotations' | 'subscriptions';

export class Store {
  readonly dashboards: Thing[] = [];
  readonly insights: Thing[] = [];
  readonly annotations: Thing[] = [];
  readonly subscriptions: Thing[] = [];
  readonly tiles: Tile[] = [];
  /** Recipients of mails that a subscription has sent. */
  readonly mails: unknown[] = [];
  /** Adds to queries what PostHog might add by itself. */
  addsDefaults = false;
  #lastId = 0;

  nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  make(list: List, body: Fields): Reply {
    const fault = faultOf(list, body);
    if (fault) return fault;
    const id = this.nextId();
    const { dashboards, ...rest } = body;
    const thing: Thing = { id, deleted: false, ...this.#stored(rest) };
    if (list === 'insights') {
      const missing = this.#setDashboards(id, dashboards);
      if (missing) return missing;
      thing.short_id = `short${id}`;
    }
    if (list === 'subscriptions' && body.send_test_now !== false) {
      this.mails.push(body.target_value);
    }
    this[list].push(thing);
    return { status: 201, body: this.shown(list, thing, true) };
  }

  change(list: List, id: number, body: Fields): Reply {
    const thing = this.find(list, id);
    if (!thing) return NOT_FOUND;
    const { dashboards, tiles, ...rest } = body;
    const fault = faultOf(list, body) ?? this.#setDashboards(id, dashboards);
    if (fault) return fault;
    Object.assign(thing, this.#stored(rest));
    for (const tile of (tiles ?? []) as Fields[]) {
      if (!this.#changeTile(id, tile)) return invalid('tiles', 'No such tile');
    }
    return { status: 200, body: this.shown(list, thing, true) };
  }

  /** Deleted objects are not found. */
  find(list: List, id: number): Thing | undefined {
    return this[list].find((thing) => thing.id === id && !thing.deleted);
  }

  /** @param whole false: as in a list, where dashboards have no tiles */
  shown(list: List, thing: Thing, whole: boolean): Fields {
    const shown: Fields = { ...thing, a_field_that_nobody_knows: { of: ['tomorrow'] } };
    // PostHog does not promise an order of tags.
    if (Array.isArray(thing.tags)) shown.tags = thing.tags.toReversed();
    if (list === 'dashboards' && whole) {
      shown.tiles = this.tilesOf(thing.id).map((tile) => this.#shownTile(tile));
    }
    if (list === 'insights') {
      const tiles = this.tiles.filter((tile) => tile.insight_id === thing.id);
      shown.dashboard_tiles = tiles.map(({ id, dashboard_id, deleted }) => ({
        id,
        dashboard_id,
        deleted,
      }));
    }
    return shown;
  }

  tilesOf(dashboardId: number): Tile[] {
    return this.tiles.filter((tile) => tile.dashboard_id === dashboardId && !tile.deleted);
  }

  #shownTile({ insight_id, dashboard_id, ...tile }: Tile): Fields {
    const insight = insight_id === null ? null : this.find('insights', insight_id);
    return { ...tile, insight: insight ? this.shown('insights', insight, false) : null };
  }

  #stored(body: Fields): Fields {
    if (!this.addsDefaults || !body.query) return body;
    const query = structuredClone(body.query) as Fields & { source: Fields };
    Object.assign(query.source, { version: 2, tags: null, samplingFactor: null });
    return { ...body, query: { ...query, version: 1 } };
  }

  /** The list replaces the former one. */
  #setDashboards(insightId: number, ids: unknown): Reply | null {
    if (!Array.isArray(ids)) return null;
    if (ids.some((id) => !this.find('dashboards', id))) {
      return invalid('dashboards', 'Dashboard not found');
    }
    const own = this.tiles.filter((tile) => tile.insight_id === insightId);
    for (const tile of own) tile.deleted = !ids.includes(tile.dashboard_id);
    for (const id of ids.filter((it) => !own.some((tile) => tile.dashboard_id === it))) {
      this.#addTile({ dashboard_id: id, insight_id: insightId });
    }
    return null;
  }

  #addTile(tile: Partial<Tile> & { dashboard_id: number }): void {
    const empty = { insight_id: null, text: null, layouts: {}, deleted: false };
    this.tiles.push({ id: this.nextId(), ...empty, ...tile });
  }

  #changeTile(dashboardId: number, { id, text, layouts, deleted }: Fields): boolean {
    const body = (text as { body: string } | undefined)?.body;
    if (id === undefined) {
      const made = { id: this.nextId(), body: body ?? '' };
      this.#addTile({ dashboard_id: dashboardId, text: made, layouts: (layouts ?? {}) as object });
      return true;
    }
    const tile = this.tilesOf(dashboardId).find((it) => it.id === id);
    if (!tile) return false;
    if (layouts) tile.layouts = layouts;
    if (deleted) tile.deleted = true;
    if (tile.text && body !== undefined) tile.text.body = body;
    return true;
  }
}

function faultOf(list: List, body: Fields): Reply | null {
  if (list === 'annotations' && body.scope === 'recording') {
    return invalid('scope', '"recording" is not a valid choice.');
  }
  if (list === 'subscriptions' && !body.dashboard === !body.insight) {
    return invalid('dashboard', 'Give a dashboard or an insight');
  }
  return null;
}
