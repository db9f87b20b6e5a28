import type { Block, Inline } from '@voisol/contract/prose'

function toInlineText(part: Inline): string {
  if (part.kind === 'break') return ' '
  return 'children' in part ? part.children.map(toInlineText).join('') : part.text
}
const toLineText = (parts: Inline[]) => parts.map(toInlineText).join('')

function toSentences(block: Block): string[] {
  switch (block.kind) {
    case 'heading':
    case 'paragraph':
      return [toLineText(block.children)]
    case 'list':
      return block.items.flatMap((item) => item.flatMap(toSentences))
    case 'quote':
      return block.blocks.flatMap(toSentences)
    case 'note':
      return [block.title, ...block.blocks.flatMap(toSentences)]
    case 'table':
      return [block.head, ...block.rows].map((row) => row.map(toLineText).join(', '))
    case 'figures':
      return block.items.map(({ figure, unit, label }) => `${figure} ${unit} ${label}`)
    case 'steps':
      return block.items.flatMap(({ title, blocks }) => [title, ...blocks.flatMap(toSentences)])
    case 'call':
      return [block.title, block.text]
    case 'code':
    case 'image':
    case 'rule':
      return []
  }
}

/** The words of a written text, without its form. */
export const toPlainText = (blocks: Block[]) =>
  blocks
    .flatMap(toSentences)
    .map((text) => text.trim())
    .filter(Boolean)
    .join('\n')
