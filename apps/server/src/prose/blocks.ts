import type { Block, Inline } from '@voisol/contract/prose'
import type { MarkedToken, Token, Tokens } from 'marked'
import { decodeEntities } from './entities.ts'
import type { createHeadingIds } from './heading-ids.ts'
import { toSafeImageSrc } from './hrefs.ts'
import { type ReportFault, toInlines, toMarkedTokens, toPlainInlines } from './inline.ts'

export type ProseContext = {
  fault: ReportFault
  idOf: ReturnType<typeof createHeadingIds>
  /** 1 when the first heading level of the text is `#`: the page keeps the only h1. */
  shift: number
  /** The level of each heading, before it is limited to the levels that a page has. */
  levels: number[]
}

const toParagraph = (children: Inline[]): Block[] =>
  children.some((node) => node.kind !== 'text' || node.text.trim() !== '') ? [{ kind: 'paragraph', children }] : []

function toImageBlocks(token: Tokens.Image, { fault }: ProseContext): Block[] {
  const alt = decodeEntities(token.text).trim()
  const src = toSafeImageSrc(decodeEntities(token.href))
  if (src) return [{ kind: 'image', src, alt, caption: decodeEntities(token.title ?? '').trim() }]
  fault(
    `L’image «\u00a0${alt || token.href.slice(0, 80)}\u00a0» est retirée\u00a0: déposez-la parmi les images du site.`,
  )
  return toParagraph(alt ? [{ kind: 'text', text: alt }] : [])
}

/** An image within a paragraph splits it into two. */
function toParagraphs(tokens: Token[], reading: ProseContext): Block[] {
  const blocks: Block[] = []
  let words: Token[] = []
  const flush = () => {
    blocks.push(...toParagraph(toInlines(words, reading.fault)))
    words = []
  }
  for (const token of toMarkedTokens(tokens)) {
    if (token.type === 'image') {
      flush()
      blocks.push(...toImageBlocks(token, reading))
    } else words.push(token)
  }
  flush()
  return blocks
}

export const clampHeadingLevel = (level: number): 2 | 3 | 4 => (level <= 2 ? 2 : level === 3 ? 3 : 4)

function toHeading(token: Tokens.Heading, reading: ProseContext): Block[] {
  const children = toInlines(token.tokens, reading.fault)
  const text = toPlainInlines(children)
  if (text.trim() === '') return []
  const level = token.depth + reading.shift
  reading.levels.push(level)
  return [{ kind: 'heading', level: clampHeadingLevel(level), id: reading.idOf(text), children }]
}

function toTable(token: Tokens.Table, { fault }: ProseContext): Block {
  const cells = (row: Tokens.TableCell[]) => row.map((cell) => toInlines(cell.tokens, fault))
  return {
    kind: 'table',
    align: token.align.map((side) => (side === 'right' ? 'end' : side === 'center' ? 'center' : 'start')),
    head: cells(token.header),
    rows: token.rows.map(cells),
  }
}

function toBlock(token: MarkedToken, reading: ProseContext): Block[] {
  switch (token.type) {
    case 'space':
    case 'def':
      return []
    case 'heading':
      return toHeading(token, reading)
    case 'paragraph':
      return toParagraphs(token.tokens, reading)
    case 'text':
      return toParagraphs(token.tokens ?? [token], reading)
    case 'list':
      return [
        { kind: 'list', ordered: token.ordered, items: token.items.map((item) => toBlocks(item.tokens, reading)) },
      ]
    case 'blockquote':
      return [{ kind: 'quote', blocks: toBlocks(token.tokens, reading) }]
    case 'table':
      return [toTable(token, reading)]
    case 'code':
      return [{ kind: 'code', language: /^[\w+#-]{1,20}/.exec(token.lang ?? '')?.[0] ?? '', text: token.text }]
    case 'hr':
      return [{ kind: 'rule' }]
    default:
      return toParagraph(toInlines([token], reading.fault))
  }
}

export const toBlocks = (tokens: Token[], reading: ProseContext): Block[] =>
  toMarkedTokens(tokens).flatMap((token) => toBlock(token, reading))
