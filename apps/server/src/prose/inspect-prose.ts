import type { Block, Inline } from '@voisol/contract/prose'
import type { ParsedProse } from './parse-prose.ts'
import { toPlainInlines } from './prose-blocks.ts'

const WORDS_PER_MINUTE = 200

/** The plain text of a tree, one line per block. */
export const toPlainProse = (blocks: Block[]): string => blocks.map(toPlainBlock).filter(Boolean).join('\n')

function toPlainBlock(block: Block): string {
  switch (block.kind) {
    case 'heading':
    case 'paragraph':
      return toPlainInlines(block.children)
    case 'list':
      return block.items.map(toPlainProse).join('\n')
    case 'quote':
      return toPlainProse(block.blocks)
    case 'table':
      return [block.head, ...block.rows].map((row) => row.map(toPlainInlines).join(' ')).join('\n')
    case 'code':
      return block.text
    case 'image':
      return block.caption
    case 'rule':
      return ''
    case 'note':
      return `${block.title}\n${toPlainProse(block.blocks)}`.trim()
    case 'figures':
      return block.items.map(({ figure, unit, label }) => `${figure} ${unit} ${label}`).join('\n')
    case 'steps':
      return block.items.map(({ title, blocks }) => `${title}\n${toPlainProse(blocks)}`.trim()).join('\n')
    case 'call':
      return [block.title, block.text, block.label].filter(Boolean).join('\n')
  }
}

/** Isolated signs, such as « or :, are not words. */
export const countWords = (text: string): number =>
  text.split(/\s+/u).filter((word) => /[\p{L}\p{N}]/u.test(word)).length
export const countProseWords = (blocks: Block[]): number => countWords(toPlainProse(blocks))
export const computeReadingMinutes = (words: number): number => Math.max(1, Math.ceil(words / WORDS_PER_MINUTE))

/** The child blocks of a block. */
function getChildBlocks(block: Block): Block[] {
  if (block.kind === 'list') return block.items.flat()
  if (block.kind === 'steps') return block.items.flatMap((item) => item.blocks)
  return block.kind === 'quote' || block.kind === 'note' ? block.blocks : []
}

/** Every block in reading order, nested ones included. */
const flattenBlocks = (blocks: Block[]): Block[] =>
  blocks.flatMap((block) => [block, ...flattenBlocks(getChildBlocks(block))])

const getInlines = (block: Block): Inline[] => {
  if (block.kind === 'table') return [...block.head.flat(), ...block.rows.flat(2)]
  return block.kind === 'heading' || block.kind === 'paragraph' ? block.children : []
}
const listInlineHrefs = (nodes: Inline[]): string[] =>
  nodes.flatMap((node) => [
    ...(node.kind === 'link' ? [node.href] : []),
    ...('children' in node ? listInlineHrefs(node.children) : []),
  ])

export const listHrefs = (blocks: Block[]): string[] =>
  flattenBlocks(blocks).flatMap((block) => (block.kind === 'call' ? [block.href] : listInlineHrefs(getInlines(block))))

export const listProseImages = (blocks: Block[]) => flattenBlocks(blocks).filter((block) => block.kind === 'image')

/** Whether an address of this site exists, anchor included; images are checked too. */
type IsKnownAddress = (address: string) => boolean

const quoteAddress = (text: string) => `«\u00a0${text}\u00a0»`

function listImageWarnings(blocks: Block[], isKnown: IsKnownAddress): string[] {
  return listProseImages(blocks).flatMap(({ src, alt }) => [
    ...(alt
      ? []
      : [
          `L’image ${quoteAddress(src)} n’a pas de texte de remplacement\u00a0: écrivez ce qu’elle montre entre les crochets.`,
        ]),
    ...(isKnown(src) ? [] : [`L’image ${quoteAddress(src)} n’existe plus parmi les images du site.`]),
  ])
}

function listLinkWarnings(blocks: Block[], isKnown: IsKnownAddress): string[] {
  const anchors = new Set(flattenBlocks(blocks).flatMap((block) => (block.kind === 'heading' ? [`#${block.id}`] : [])))
  const leads = (href: string) => (href.startsWith('#') ? anchors.has(href) : !href.startsWith('/') || isKnown(href))
  return listHrefs(blocks)
    .filter((href) => !leads(href))
    .map((href) => `Le lien vers ${quoteAddress(href)} ne mène à aucune page du site.`)
}

/** The title of the page is the first level. */
function listHeadingWarnings(levels: number[]): string[] {
  const skipped = levels.some((level, i) => level - (levels[i - 1] ?? 1) > 1)
  const tooDeep = levels.some((level) => level > 4)
  return [
    ...(skipped ? ['Un niveau de titre est sauté\u00a0: après ##, employez ###, puis ####.'] : []),
    ...(tooDeep ? ['Trois niveaux de titre suffisent\u00a0: les suivants sont montrés comme le troisième.'] : []),
  ]
}

/** What an editor should fix before publishing. */
export function listProseWarnings({ blocks, faults, levels }: ParsedProse, isKnown: IsKnownAddress): string[] {
  const all = [
    ...(blocks.length ? [] : ['Le texte est vide.']),
    ...faults,
    ...listHeadingWarnings(levels),
    ...listImageWarnings(blocks, isKnown),
    ...listLinkWarnings(blocks, isKnown),
  ]
  return [...new Set(all)]
}
