import type { Block } from '@voisol/contract/prose'
import { plainInlines } from './inline.ts'

const WORDS_A_MINUTE = 200

/** The text of a tree without its form, a line per block. */
export const plainText = (blocks: Block[]): string => blocks.map(plainBlock).filter(Boolean).join('\n')

function plainBlock(block: Block): string {
  switch (block.kind) {
    case 'heading':
    case 'paragraph':
      return plainInlines(block.children)
    case 'list':
      return block.items.map(plainText).join('\n')
    case 'quote':
      return plainText(block.blocks)
    case 'table':
      return [block.head, ...block.rows].map((row) => row.map(plainInlines).join(' ')).join('\n')
    case 'code':
      return block.text
    case 'image':
      return block.caption
    case 'rule':
      return ''
    case 'note':
      return `${block.title}\n${plainText(block.blocks)}`.trim()
    case 'figures':
      return block.items.map(({ figure, unit, label }) => `${figure} ${unit} ${label}`).join('\n')
    case 'steps':
      return block.items.map(({ title, blocks }) => `${title}\n${plainText(blocks)}`.trim()).join('\n')
    case 'call':
      return [block.title, block.text, block.label].filter(Boolean).join('\n')
  }
}

/** Signs that stand alone, such as « or :, are no words. */
export const countWords = (text: string): number =>
  text.split(/\s+/u).filter((word) => /[\p{L}\p{N}]/u.test(word)).length
export const wordsOf = (blocks: Block[]): number => countWords(plainText(blocks))
export const readingMinutes = (words: number): number => Math.max(1, Math.ceil(words / WORDS_A_MINUTE))
