import type { PortalBlock } from '@voisol/contract/portal-management'

type BlockKey = PortalBlock['key']
const WIDE_BLOCKS: ReadonlySet<BlockKey> = new Set(['chart', 'news'])

/** What is shown, in its order: each wide block by itself, and the cards that stand between them together. */
export function groupBlocks(blocks: PortalBlock[]): BlockKey[][] {
  const groups: BlockKey[][] = []
  for (const { key, shown } of blocks) {
    if (!shown) continue
    const last = groups.at(-1)
    if (!WIDE_BLOCKS.has(key) && last?.[0] && !WIDE_BLOCKS.has(last[0])) last.push(key)
    else groups.push([key])
  }
  return groups
}
