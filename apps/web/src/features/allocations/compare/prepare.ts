import { type Key, keys } from '@voisol/contract/keys'
import { useNavigate } from 'react-router'
import { useAction } from '../../../lib/queries.ts'
import { CHANGED, NEW, nextMonth } from '../keys/changes.ts'
import { useTabLink } from '../tab-link.ts'
import type { Tried } from './model.ts'

/** Turns a way to share into a draft of the key, with the very shares or ranks that were tried, and opens it. */
export function usePrepare(operationId: string, versions: Key[]) {
  const navigate = useNavigate()
  const link = useTabLink()
  const { run, isPending } = useAction(keys.create, CHANGED)
  const prepare = async (tried: Tried) => {
    const own = versions.find(({ id }) => id === tried.keyId)
    if (own) return navigate(link('cles', own.status === 'draft' ? { cle: own.id } : { cle: NEW, modele: own.id }))
    const body = { method: tried.method, label: '', startsOn: nextMonth(), shares: tried.shares }
    const made = await run({ params: { id: operationId }, body })
    return navigate(link('cles', { cle: made.id }))
  }
  return { prepare, isPending }
}
