import type { EnedisCall } from '@voisol/contract/enedis'
import { BACKENDS } from '../../../lib/distributor-labels.ts'

export type Group = { id: string; title: string; calls: EnedisCall[] }

const TITLES: Record<string, string> = {
  ...BACKENDS,
  gateway: 'Accès',
  collective: 'Autoconsommation collective, version\u00a04',
}

/** Under the title of its interface a call need not repeat it. */
export const shortLabel = ({ label }: EnedisCall) => label.replace(/ \([^()]*\)$/, '')

/** By the interface that answers, in the order in which the calls are given. */
export function groupsOf(calls: EnedisCall[]): Group[] {
  const names = [...new Set(calls.map(({ backend }) => backend))]
  return names.map((name) => ({
    id: `interface-${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`,
    title: TITLES[name] ?? name,
    calls: calls.filter(({ backend }) => backend === name),
  }))
}
