import { useSearchParams } from 'react-router'

/** The operation that is chosen, where the screen shows one of several. */
export const OPERATION_PARAM = 'operation'

/** Leads to another tab of the screen; what else was asked of this one is left behind. */
export function useCurveTabLink() {
  const [search] = useSearchParams()
  const operation = search.get(OPERATION_PARAM)
  return (tab: string, more: Record<string, string> = {}) =>
    `?${new URLSearchParams({ ...(operation && { [OPERATION_PARAM]: operation }), onglet: tab, ...more })}`
}
