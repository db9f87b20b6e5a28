import type { PortalBlock } from '@voisol/contract/portal-management'

type Key = PortalBlock['key']
const WIDE: ReadonlySet<Key> = new Set(['chart', 'news'])

/** What is shown, in its order: each wide block by itself, and the cards that stand between them together. */
export function groupsOf(blocks: PortalBlock[]): Key[][] {
  const groups: Key[][] = []
  for (const { key, shown } of blocks) {
    if (!shown) continue
    const last = groups.at(-1)
    if (!WIDE.has(key) && last?.[0] && !WIDE.has(last[0])) last.push(key)
    else groups.push([key])
  }
  return groups
}
