import { useSearchParams } from 'react-router'
import { withContext } from '../../lib/context.ts'

export const TAB = 'onglet'

/** The address of another tab, over the same period; the rest of the address belongs to the tab that wrote it. */
export function useTabLink() {
  const [search] = useSearchParams()
  return (tab: string, more: Record<string, string> = {}) =>
    withContext(`?${new URLSearchParams({ [TAB]: tab, ...more })}`, `${search}`)
}
