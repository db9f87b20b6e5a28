import { type Key, keys } from '@voisol/contract/keys'
import { useNavigate } from 'react-router'
import { useAction } from '../../../lib/queries.ts'
import { getStartOfNextMonth, KEY_DEPENDENT_QUERIES, NEW_VERSION } from '../keys/changes.ts'
import { useTabLink } from '../tab-link.ts'
import type { ComparedMethod } from './model.ts'

/** Turns a way to share into a draft of the key, with the very shares or ranks that were tried, and opens it. */
export function usePrepareVersion(operationId: string, versions: Key[]) {
  const navigate = useNavigate()
  const link = useTabLink()
  const { run, isPending } = useAction(keys.create, KEY_DEPENDENT_QUERIES)
  const prepare = async (tried: ComparedMethod) => {
    const own = versions.find(({ id }) => id === tried.keyId)
    if (own)
      return navigate(link('cles', own.status === 'draft' ? { cle: own.id } : { cle: NEW_VERSION, modele: own.id }))
    const body = { method: tried.method, label: '', startsOn: getStartOfNextMonth(), shares: tried.shares }
    const made = await run({ params: { id: operationId }, body })
    return navigate(link('cles', { cle: made.id }))
  }
  return { prepare, isPending }
}
