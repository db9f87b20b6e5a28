import type { Block, Inline } from '@voisol/contract/prose'

function inline(part: Inline): string {
  if (part.kind === 'break') return ' '
  return 'children' in part ? part.children.map(inline).join('') : part.text
}
const line = (parts: Inline[]) => parts.map(inline).join('')

function sentences(block: Block): string[] {
  switch (block.kind) {
    case 'heading':
    case 'paragraph':
      return [line(block.children)]
    case 'list':
      return block.items.flatMap((item) => item.flatMap(sentences))
    case 'quote':
      return block.blocks.flatMap(sentences)
    case 'note':
      return [block.title, ...block.blocks.flatMap(sentences)]
    case 'table':
      return [block.head, ...block.rows].map((row) => row.map(line).join(', '))
    case 'figures':
      return block.items.map(({ figure, unit, label }) => `${figure} ${unit} ${label}`)
    case 'steps':
      return block.items.flatMap(({ title, blocks }) => [title, ...blocks.flatMap(sentences)])
    case 'call':
      return [block.title, block.text]
    case 'code':
    case 'image':
    case 'rule':
      return []
  }
}

/** The words of a written text, without its form. */
export const plainText = (blocks: Block[]) =>
  blocks
    .flatMap(sentences)
    .map((text) => text.trim())
    .filter(Boolean)
    .join('\n')
