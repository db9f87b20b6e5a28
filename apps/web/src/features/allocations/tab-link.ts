import { useSearchParams } from 'react-router'

export const TAB = 'onglet'
/** What two tabs look at alike; the rest of the address belongs to the tab that wrote it. */
const KEPT = ['unit', 'from', 'to']

/** The address of another tab, over the same period. */
export function useTabLink() {
  const [search] = useSearchParams()
  return (tab: string, more: Record<string, string> = {}) => {
    const kept = KEPT.flatMap((name) => {
      const value = search.get(name)
      return value === null ? [] : [[name, value] as const]
    })
    return `?${new URLSearchParams([[TAB, tab], ...kept.map((pair) => [...pair]), ...Object.entries(more)])}`
  }
}
