import { getXmlAttribute, scanXml, unescapeXml } from '../xml.ts'
import { BankFileRefusedError } from './types.ts'

export type XmlNode = { name: string; attributes: string; text: string; children: XmlNode[] }

/** Above a year of the largest account, and below what a thread holds. */
const MAX_NODES = 3_000_000
const MAX_DEPTH = 40

/** A message of a bank as a tree: its entries nest, and each is read once. */
export function parseXmlTree(xml: string): XmlNode {
  if (/<!(DOCTYPE|ENTITY)/.test(xml))
    throw new BankFileRefusedError('Ce fichier XML contient une déclaration DOCTYPE, refusée par sécurité.')
  const top: XmlNode = { name: '', attributes: '', text: '', children: [] }
  const stack = [top]
  let count = 0
  scanXml(xml, {
    open(name, attributes) {
      if (++count > MAX_NODES || stack.length > MAX_DEPTH)
        throw new BankFileRefusedError(
          'Ce fichier est trop grand pour un relevé de banque\u00a0: demandez-le par période plus courte.',
        )
      const node: XmlNode = { name, attributes, text: '', children: [] }
      stack.at(-1)?.children.push(node)
      stack.push(node)
    },
    close(_, text) {
      const node = stack.pop()
      if (node && !node.children.length) node.text = unescapeXml(text).trim()
    },
  })
  const [root] = top.children
  if (!root) throw new BankFileRefusedError('Ce fichier XML est vide.')
  return root
}

export const getChildren = (node: XmlNode | undefined, name: string): XmlNode[] =>
  node?.children.filter((child) => child.name === name) ?? []

/** The first one down a path: `Refs/EndToEndId`. */
export function findNode(node: XmlNode | undefined, path: string): XmlNode | undefined {
  let found = node
  for (const name of path.split('/')) found = found?.children.find((child) => child.name === name)
  return found
}
/** The text of the first of several paths that has one: what a version calls otherwise. */
export function getNodeText(node: XmlNode | undefined, ...paths: string[]): string {
  for (const path of paths) {
    const found = findNode(node, path)?.text
    if (found) return found
  }
  return ''
}
export const getCurrency = (node: XmlNode | undefined) => (node ? getXmlAttribute(node.attributes, 'Ccy') : '')
