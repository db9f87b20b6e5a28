import type { Block, Inline } from '@voisol/contract/prose'
import type { MarkedToken, Token, Tokens } from 'marked'
import { decodeEntities } from './entities.ts'
import type { createIds } from './heading-ids.ts'
import { safePicture } from './hrefs.ts'
import { type Fault, known, plainInlines, toInlines } from './inline.ts'

export type Reading = {
  fault: Fault
  idOf: ReturnType<typeof createIds>
  /** 1 in a text whose own first level is `#`: the page keeps the only h1. */
  shift: number
  /** The level of each heading in its order, before it is held within what a page draws. */
  levels: number[]
}

const paragraph = (children: Inline[]): Block[] =>
  children.some((node) => node.kind !== 'text' || node.text.trim() !== '') ? [{ kind: 'paragraph', children }] : []

function picture(token: Tokens.Image, { fault }: Reading): Block[] {
  const alt = decodeEntities(token.text).trim()
  const src = safePicture(decodeEntities(token.href))
  if (src) return [{ kind: 'image', src, alt, caption: decodeEntities(token.title ?? '').trim() }]
  fault(
    `L’image «\u00a0${alt || token.href.slice(0, 80)}\u00a0» est retirée\u00a0: déposez-la parmi les images du site.`,
  )
  return paragraph(alt ? [{ kind: 'text', text: alt }] : [])
}

/** A picture among words stands between two paragraphs. */
function paragraphs(tokens: Token[], reading: Reading): Block[] {
  const blocks: Block[] = []
  let words: Token[] = []
  const flush = () => {
    blocks.push(...paragraph(toInlines(words, reading.fault)))
    words = []
  }
  for (const token of known(tokens)) {
    if (token.type === 'image') {
      flush()
      blocks.push(...picture(token, reading))
    } else words.push(token)
  }
  flush()
  return blocks
}

export const readableLevel = (level: number): 2 | 3 | 4 => (level <= 2 ? 2 : level === 3 ? 3 : 4)

function heading(token: Tokens.Heading, reading: Reading): Block[] {
  const children = toInlines(token.tokens, reading.fault)
  const text = plainInlines(children)
  if (text.trim() === '') return []
  const level = token.depth + reading.shift
  reading.levels.push(level)
  return [{ kind: 'heading', level: readableLevel(level), id: reading.idOf(text), children }]
}

function table(token: Tokens.Table, { fault }: Reading): Block {
  const cells = (row: Tokens.TableCell[]) => row.map((cell) => toInlines(cell.tokens, fault))
  return {
    kind: 'table',
    align: token.align.map((side) => (side === 'right' ? 'end' : side === 'center' ? 'center' : 'start')),
    head: cells(token.header),
    rows: token.rows.map(cells),
  }
}

function block(token: MarkedToken, reading: Reading): Block[] {
  switch (token.type) {
    case 'space':
    case 'def':
      return []
    case 'heading':
      return heading(token, reading)
    case 'paragraph':
      return paragraphs(token.tokens, reading)
    case 'text':
      return paragraphs(token.tokens ?? [token], reading)
    case 'list':
      return [
        { kind: 'list', ordered: token.ordered, items: token.items.map((item) => toBlocks(item.tokens, reading)) },
      ]
    case 'blockquote':
      return [{ kind: 'quote', blocks: toBlocks(token.tokens, reading) }]
    case 'table':
      return [table(token, reading)]
    case 'code':
      return [{ kind: 'code', language: /^[\w+#-]{1,20}/.exec(token.lang ?? '')?.[0] ?? '', text: token.text }]
    case 'hr':
      return [{ kind: 'rule' }]
    default:
      return paragraph(toInlines([token], reading.fault))
  }
}

export const toBlocks = (tokens: Token[], reading: Reading): Block[] =>
  known(tokens).flatMap((token) => block(token, reading))
