import { useSearchParams } from 'react-router'
import { carryPeriod } from '../../lib/context.ts'

export const TAB_PARAM = 'onglet'

/** The address of another tab, over the same period; the rest of the address belongs to the tab that wrote it. */
export function useTabLink() {
  const [search] = useSearchParams()
  return (tab: string, more: Record<string, string> = {}) =>
    carryPeriod(`?${new URLSearchParams({ [TAB_PARAM]: tab, ...more })}`, `${search}`)
}
