import { enedis } from '@voisol/contract/enedis'
import { sync } from '@voisol/contract/sync'
import RotateCcw from 'lucide-react/icons/rotate-ccw'
import { withAccess } from '../lib/can.tsx'
import { formatCount } from '../lib/format.ts'
import { useAction } from '../lib/queries.ts'
import { toast } from '../lib/toast.ts'
import { Button } from './button.tsx'
import { Confirm } from './confirm.tsx'

/** Points that were stopped begin again together: those of an operation, or all of the company's. */
export const ResumeAllButton = withAccess(sync.resumeAll, ({ operationId }: { operationId?: string }) => {
  const { run } = useAction(sync.resumeAll, [sync.standing, sync.tasks, enedis.overview])
  const resume = async () => {
    const { count } = await run({ body: { operationId } })
    toast({
      title: count ? formatCount(count, 'point repris', 'points repris') : 'Aucun point n’était arrêté',
      ...(count > 0 && { description: 'Leurs appels sont refaits dès maintenant.' }),
      variant: 'success',
    })
  }
  return (
    <Confirm
      tone="primary"
      title="Reprendre tous les points&nbsp;?"
      description={`Les appels de tous les points arrêtés ${operationId ? 'de cette opération' : 'de l’entreprise'} reprennent, et ce qui avait échoué avec eux est redemandé. Un point dont l’accord manque vraiment sera de nouveau arrêté.`}
      action="Reprendre tous les points"
      onConfirm={resume}
      trigger={
        <Button variant="secondary" size="small" icon={<RotateCcw aria-hidden="true" />}>
          Tout reprendre
        </Button>
      }
    />
  )
})
