import type { Block } from '@voisol/contract/prose'
import { toPlainInlines } from './inline.ts'

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
