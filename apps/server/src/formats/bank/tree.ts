import { attribute, scanXml, unescapeXml } from '../xml.ts'
import { BankFileRefused } from './types.ts'

export type Node = { name: string; attributes: string; text: string; children: Node[] }

/** Above a year of the largest account, and below what a thread holds. */
const MOST_NODES = 3_000_000
const MOST_DEPTH = 40

/** A message of a bank as a tree: its entries nest, and each is read once. */
export function treeOf(xml: string): Node {
  if (/<!(DOCTYPE|ENTITY)/.test(xml))
    throw new BankFileRefused('Ce fichier XML contient une déclaration DOCTYPE, refusée par sécurité.')
  const top: Node = { name: '', attributes: '', text: '', children: [] }
  const stack = [top]
  let count = 0
  scanXml(xml, {
    open(name, attributes) {
      if (++count > MOST_NODES || stack.length > MOST_DEPTH)
        throw new BankFileRefused(
          'Ce fichier est trop grand pour un relevé de banque\u00a0: demandez-le par période plus courte.',
        )
      const node: Node = { name, attributes, text: '', children: [] }
      stack.at(-1)?.children.push(node)
      stack.push(node)
    },
    close(_, text) {
      const node = stack.pop()
      if (node && !node.children.length) node.text = unescapeXml(text).trim()
    },
  })
  const [root] = top.children
  if (!root) throw new BankFileRefused('Ce fichier XML est vide.')
  return root
}

export const all = (node: Node | undefined, name: string): Node[] =>
  node?.children.filter((child) => child.name === name) ?? []

/** The first one down a path: `Refs/EndToEndId`. */
export function at(node: Node | undefined, path: string): Node | undefined {
  let found = node
  for (const name of path.split('/')) found = found?.children.find((child) => child.name === name)
  return found
}
/** The text of the first of several paths that has one: what a version calls otherwise. */
export function text(node: Node | undefined, ...paths: string[]): string {
  for (const path of paths) {
    const found = at(node, path)?.text
    if (found) return found
  }
  return ''
}
export const currencyOf = (node: Node | undefined) => (node ? attribute(node.attributes, 'Ccy') : '')
