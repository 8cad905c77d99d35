/** Reads the browser's accessibility tree, which assistive technology uses, instead of the markup. */
import type { CDPSession, Page } from '@playwright/test';

export interface AxNode {
  nodeId: string;
  parentId?: string;
  childIds?: string[];
  ignored: boolean;
  role?: { value: string };
  name?: { value: string };
  properties?: { name: string; value: { value: unknown } }[];
  backendDOMNodeId?: number;
}

export interface NamedControl {
  role: string;
  /** The accessible name, as screen readers announce it and voice control matches it. */
  name: string;
  /** The visible text of the control or of its label. */
  visible: string;
}

const CONTROL_ROLES = ['link', 'button', 'textbox', 'checkbox', 'radio', 'combobox', 'searchbox'];

export async function readTree(page: Page): Promise<{ nodes: AxNode[]; session: CDPSession }> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  return { nodes: nodes as unknown as AxNode[], session };
}

/** @returns every control of the page, but not the browser's own ones in the film, with its accessible name and its visible text */
export async function namedControls(page: Page): Promise<NamedControl[]> {
  const { nodes, session } = await readTree(page);
  const controls: NamedControl[] = [];
  for (const { ignored, role, name, backendDOMNodeId } of nodes) {
    if (ignored || !CONTROL_ROLES.includes(role?.value ?? '') || !backendDOMNodeId) continue;
    const { object } = await session.send('DOM.resolveNode', { backendNodeId: backendDOMNodeId });
    const { result } = await session.send('Runtime.callFunctionOn', {
      objectId: object.objectId ?? '',
      functionDeclaration: `function () {
        return this.getRootNode() === document ? (this.labels?.[0] ?? this).innerText : null;
      }`,
    });
    if (result.value === null) continue;
    controls.push({
      role: role?.value ?? '',
      name: squeeze(name?.value),
      visible: squeeze(result.value),
    });
  }
  return controls;
}

/** @returns the live setting of the node with these words: 'polite', 'assertive', 'off'; null: not a live region */
export async function liveValueOf(page: Page, words: string): Promise<string | null> {
  const { nodes } = await readTree(page);
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const lives = nodes
    .filter(({ ignored, name }) => !ignored && squeeze(name?.value).includes(words))
    .map((node) => liveOf(node, byId));
  return lives.find((live) => live !== null && live !== 'off') ?? lives[0] ?? null;
}

/** @returns the live regions of the page, also empty ones */
export async function liveRegions(page: Page): Promise<string[]> {
  const { nodes } = await readTree(page);
  return nodes.filter(({ ignored }) => !ignored).flatMap((node) => ownLive(node) ?? []);
}

function liveOf(node: AxNode, byId: Map<string, AxNode>): string | null {
  for (let at: AxNode | undefined = node; at; at = byId.get(at.parentId ?? '')) {
    const live = ownLive(at);
    if (live !== null) return live;
  }
  return null;
}

function ownLive({ properties }: AxNode): string | null {
  const live = properties?.find(({ name }) => name === 'live')?.value.value;
  return typeof live === 'string' ? live : null;
}

const squeeze = (text: unknown): string =>
  String(text ?? '')
    .replace(/\s+/g, ' ')
    .trim();
