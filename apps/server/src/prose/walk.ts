import type { Block, Inline } from '@voisol/contract/prose'

/** The child blocks of a block. */
export function getChildBlocks(block: Block): Block[] {
  if (block.kind === 'list') return block.items.flat()
  if (block.kind === 'steps') return block.items.flatMap((item) => item.blocks)
  return block.kind === 'quote' || block.kind === 'note' ? block.blocks : []
}

/** Every block in reading order, nested ones included. */
export const flattenBlocks = (blocks: Block[]): Block[] =>
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
