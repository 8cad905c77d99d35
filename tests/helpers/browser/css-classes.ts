/**
 * Reads the classes of documents, components and style sheets. Tests use it to find a class without
 * a rule, about which neither the browser nor Tailwind complains.
 */
import { parseHTML } from 'linkedom';
import { type Node, parseSync, Visitor } from 'oxc-parser';

const words = (text: string): string[] => text.split(/\s+/).filter(Boolean);

/** Returns the classes of all elements, drawings included. */
export function classesOf(html: string): Set<string> {
  const elements = parseHTML(html).document.querySelectorAll('[class]');
  return new Set([...elements].flatMap((element) => words(element.getAttribute('class') ?? '')));
}

/** Returns the texts of the document's style elements. */
export const inlineStyles = (html: string): string[] =>
  [...html.matchAll(/<style[^>]*>(.*?)<\/style>/gs)].map(([, css = '']) => css);

/** Returns the addresses of the style sheets that the document links. */
export const linkedStyles = (html: string): string[] =>
  [...html.matchAll(/<link[^>]* rel="?stylesheet"?[^>]* href="([^"]+)"/g)].map(
    ([, path = '']) => path,
  );

/** Returns the classes that some selector of the style sheets names. */
export function classesWithRule(sheets: string[]): Set<string> {
  const css = sheets
    .join('\n')
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/(?<!\\)"[^"]*"|(?<!\\)'[^']*'/g, '');
  const selectors = css.match(/[^{};]+(?=\{)/g)?.filter((text) => !/^\s*@/.test(text)) ?? [];
  const names = selectors.flatMap((text) => text.match(/(?<=\.)(?:\\.|[\w-]|[^\0-\x7f])+/g) ?? []);
  return new Set(names.map((name) => name.replace(/\\(.)/g, '$1')));
}

/**
 * Returns all classes that a component can give its elements, in any state: by the attribute or the
 * property `className`.
 *
 * @param code TypeScript with JSX
 * @throws for an expression that joins a class from parts, has an imported part, or whose type is
 * not supported
 */
export function classNamesIn(code: string): Set<string> {
  const { program } = parseSync('component.tsx', code);
  const constants = new Map<string, Node>();
  const values: Node[] = [];
  const imported = new Set<string>();
  new Visitor({
    ImportDeclaration({ specifiers }) {
      for (const { local } of specifiers) imported.add(local.name);
    },
    VariableDeclarator({ id, init }) {
      if (id.type === 'Identifier' && init) constants.set(id.name, init);
    },
    JSXAttribute({ name, value }) {
      if (name.name === 'className' && value) values.push(value);
    },
    AssignmentExpression({ left, right }) {
      if (left.type !== 'MemberExpression' || left.property.type !== 'Identifier') return;
      if (left.property.name === 'className') values.push(right);
    },
  }).visit(program);
  return new Set(values.flatMap((value) => textsIn(value, { constants, imported })).flatMap(words));
}

/** The names of a file: those of its constants, with their values, and those that it imports. */
interface Names {
  constants: Map<string, Node>;
  imported: Set<string>;
}

/** Returns the string literals from which an expression's value is chosen or joined. */
function textsIn(node: Node, names: Names): string[] {
  const read = (...nodes: Node[]) => nodes.flatMap((one) => textsIn(one, names));
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'string' ? [node.value] : [];
    case 'TemplateLiteral':
      for (const [i, { value }] of node.quasis.entries())
        if ((i > 0 && /^\S/.test(value.raw)) || (!isLast(i, node) && /\S$/.test(value.raw)))
          throw new Error(`A part of a class: ${value.raw}`);
      return [...node.quasis.map(({ value }) => value.raw), ...read(...node.expressions)];
    case 'ConditionalExpression':
      return read(node.consequent, node.alternate);
    case 'LogicalExpression':
      return read(node.left, node.right);
    case 'ObjectExpression':
      return node.properties.flatMap((one) => (one.type === 'Property' ? read(one.value) : []));
    case 'JSXExpressionContainer':
      return read(node.expression);
    case 'CallExpression':
    case 'MemberExpression':
      // `LOOKS[name]` can be any value of LOOKS. The property of an argument is read where the
      // argument is written.
      return read(node.type === 'CallExpression' ? node.callee : node.object);
    case 'Identifier': {
      if (names.imported.has(node.name)) throw new Error(`An imported class: ${node.name}`);
      const value = names.constants.get(node.name);
      return value ? read(value) : [];
    }
    default:
      throw new Error(`A class in an expression of the type ${node.type}`);
  }
}

const isLast = (i: number, { quasis }: { quasis: unknown[] }): boolean => i === quasis.length - 1;
