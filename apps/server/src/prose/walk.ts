import type { Block, Inline } from '@voisol/contract/prose'

/** The blocks a block holds. */
export function within(block: Block): Block[] {
  if (block.kind === 'list') return block.items.flat()
  if (block.kind === 'steps') return block.items.flatMap((item) => item.blocks)
  return block.kind === 'quote' || block.kind === 'note' ? block.blocks : []
}

/** Every block in reading order, those inside others too. */
export const everyBlock = (blocks: Block[]): Block[] => blocks.flatMap((block) => [block, ...everyBlock(within(block))])

const inlinesOf = (block: Block): Inline[] => {
  if (block.kind === 'table') return [...block.head.flat(), ...block.rows.flat(2)]
  return block.kind === 'heading' || block.kind === 'paragraph' ? block.children : []
}
const hrefsIn = (nodes: Inline[]): string[] =>
  nodes.flatMap((node) => [
    ...(node.kind === 'link' ? [node.href] : []),
    ...('children' in node ? hrefsIn(node.children) : []),
  ])

export const hrefsOf = (blocks: Block[]): string[] =>
  everyBlock(blocks).flatMap((block) => (block.kind === 'call' ? [block.href] : hrefsIn(inlinesOf(block))))

export const picturesOf = (blocks: Block[]) => everyBlock(blocks).filter((block) => block.kind === 'image')
