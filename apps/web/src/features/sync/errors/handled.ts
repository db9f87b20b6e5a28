import { enedis } from '@voisol/contract/enedis'
import { energy } from '@voisol/contract/energy'
import { sync } from '@voisol/contract/sync'
import { plural } from '../../../lib/format.ts'
import { useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'

export const HANDLED = [
  { value: 'false', label: 'À traiter' },
  { value: 'true', label: 'Traitées' },
]

/** Marks lines, or a whole cause, and says how many it were. */
export function useHandle() {
  const { run, isPending } = useAction(sync.handle, [sync.errors, sync.errorGroups, enedis.overview, energy.attention])
  const handle = async (body: { ids?: string[]; code?: string }) => {
    const { count } = await run({ body })
    toast({
      title: plural(count, 'erreur marquée comme traitée', 'erreurs marquées comme traitées'),
      variant: 'success',
    })
  }
  return { handle, isPending }
}
