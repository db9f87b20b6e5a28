import { useQueryClient } from '@tanstack/react-query'
import { type Key, keys } from '@voisol/contract/keys'
import { useNavigate } from 'react-router'
import { query, useAction } from '../../../lib/queries.ts'
import { CHANGED, NEW, nextMonth } from '../keys/changes.ts'
import { needsShares, proportionalShares, type Share } from '../keys/form.ts'
import { useTabLink } from '../tab-link.ts'
import type { Tried } from './model.ts'

/** The version whose shares or ranks the comparison took: the latest adopted one that has some, else the latest. */
export function sourceOf({ method }: Pick<Tried, 'method'>, versions: Key[]): Key | undefined {
  const has = (key: Key) => (method === 'priority' ? key.method === 'priority' : (key.sum ?? 0) > 0)
  const latest = versions.toSorted((a, b) => b.number - a.number)
  return latest.find((key) => key.status === 'adopted' && has(key)) ?? latest.find(has)
}

/** Without one, as the comparison does: parts of the consumption, or those who draw least first. */
export function freshShares({ method, consumers }: Pick<Tried, 'method' | 'consumers'>): Share[] {
  const drawn = consumers.toSorted((a, b) => a.consumed - b.consumed)
  if (method === 'priority')
    return drawn.map(({ pointId }, at) => ({ pointId, producerId: null, share: null, rank: at + 1 }))
  const shares = proportionalShares(drawn.map(({ consumed }) => consumed))
  return drawn.map(({ pointId }, at) => ({ pointId, producerId: null, share: shares[at] ?? 0, rank: null }))
}

/** Turns a way to share into a draft of the key, and opens it. */
export function usePrepare(operationId: string, versions: Key[]) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const link = useTabLink()
  const { run, isPending } = useAction(keys.create, CHANGED)
  const sharesOf = async (tried: Tried): Promise<Share[]> => {
    if (!needsShares(tried.method) && tried.method !== 'priority') return []
    const source = sourceOf(tried, versions)
    if (!source) return freshShares(tried)
    return (await client.fetchQuery(query(keys.get, { params: { id: source.id } }))).shares
  }
  const prepare = async (tried: Tried) => {
    const own = versions.find(({ id }) => id === tried.keyId)
    if (own) return navigate(link('cles', own.status === 'draft' ? { cle: own.id } : { cle: NEW, modele: own.id }))
    const body = { method: tried.method, label: '', startsOn: nextMonth(), shares: await sharesOf(tried) }
    const made = await run({ params: { id: operationId }, body })
    return navigate(link('cles', { cle: made.id }))
  }
  return { prepare, isPending }
}
