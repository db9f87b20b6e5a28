import { enedis } from '@voisol/contract/enedis'
import { energy } from '@voisol/contract/energy'
import { sync } from '@voisol/contract/sync'
import { formatCount } from '../../../lib/format.ts'
import { useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'

export const HANDLED_OPTIONS = [
  { value: 'false', label: 'À traiter' },
  { value: 'true', label: 'Traitées' },
]

/** Marks lines, or a whole cause, and says how many it were. */
export function useMarkErrorsHandled() {
  const { run, isPending } = useAction(sync.handle, [sync.errors, sync.errorGroups, enedis.overview, energy.attention])
  const handle = async (body: { ids?: string[]; code?: string }) => {
    const { count } = await run({ body })
    toast({
      title: formatCount(count, 'erreur marquée comme traitée', 'erreurs marquées comme traitées'),
      variant: 'success',
    })
  }
  return { handle, isPending }
}
