import type { EnedisCall } from '@voisol/contract/enedis'
import { BACKEND_LABELS } from '../../../lib/distributor-labels.ts'

export type CallInterface = { id: string; title: string; calls: EnedisCall[] }

const INTERFACE_TITLES: Record<string, string> = {
  ...BACKEND_LABELS,
  gateway: 'Accès',
  collective: 'Autoconsommation collective, version\u00a04',
}

/** Under the title of its interface a call need not repeat it. */
export const getShortCallLabel = ({ label }: EnedisCall) => label.replace(/ \([^()]*\)$/, '')

/** By the interface that answers, in the order in which the calls are given. */
export function groupCallsByInterface(calls: EnedisCall[]): CallInterface[] {
  const names = [...new Set(calls.map(({ backend }) => backend))]
  return names.map((name) => ({
    id: `interface-${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`,
    title: INTERFACE_TITLES[name] ?? name,
    calls: calls.filter(({ backend }) => backend === name),
  }))
}
