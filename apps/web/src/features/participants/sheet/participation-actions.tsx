import { type Participation, participations } from '@voisol/contract/points'
import Ellipsis from 'lucide-react/icons/ellipsis'
import { Suspense, useState } from 'react'
import { useCan, withAccess } from '../../../lib/can.tsx'
import { formatPrm } from '../../../lib/energy-labels.ts'
import { confirmImpact } from '../../../lib/look-first.ts'
import { useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { Button } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { lazy } from '../../../ui/lazy.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../../ui/menu.tsx'
import { PARTICIPANT_DEPENDENT_QUERIES } from '../labels.ts'
import { useRefreshOnError } from './use-refresh.ts'

const ParticipationDatesDialog = lazy(async () => ({
  default: (await import('./dates-dialog.tsx')).ParticipationDatesDialog,
}))
const TransferDialog = lazy(async () => ({ default: (await import('./transfer-dialog.tsx')).TransferDialog }))

export const ParticipationActions = withAccess(
  participations.update,
  ({ participation }: { participation: Participation }) => {
    const [panel, setPanel] = useState<'dates' | 'transfer' | 'remove'>()
    const remove = useAction(participations.remove, PARTICIPANT_DEPENDENT_QUERIES)
    const can = useCan()
    const close = () => setPanel(undefined)
    const refresh = useRefreshOnError()
    const { id, operationName, point } = participation
    const removeParticipation = async () => {
      const previewToken = await confirmImpact({ kind: 'remove', id }, 'Retirer la participation')
      if (!previewToken) return
      await remove.run({ params: { id }, query: previewToken })
      toast({ title: 'Participation retirée', variant: 'success' })
    }
    return (
      <>
        <Menu
          trigger={
            <Button
              variant="quiet"
              size="small"
              aria-label={`Actions pour ${operationName}, PRM ${formatPrm(point.prm)}`}
              icon={<Ellipsis aria-hidden="true" />}
            >
              Actions
            </Button>
          }
        >
          <MenuItem onSelect={() => setPanel('dates')}>Modifier les dates</MenuItem>
          {participation.state !== 'past' && can(participations.transfer) && (
            <MenuItem onSelect={() => setPanel('transfer')}>Changer le titulaire</MenuItem>
          )}
          <MenuSeparator />
          <MenuItem tone="danger" onSelect={() => setPanel('remove')}>
            Retirer la participation
          </MenuItem>
        </Menu>
        <Suspense fallback={null}>
          {panel === 'dates' && (
            <ParticipationDatesDialog participation={participation} onClose={close} refresh={refresh} />
          )}
          {panel === 'transfer' && <TransferDialog participation={participation} onClose={close} />}
        </Suspense>
        <Confirm
          open={panel === 'remove'}
          onOpenChange={close}
          title="Retirer cette participation&#160;?"
          description={`Elle disparaît de «\u00a0${operationName}\u00a0» comme si elle n’avait pas eu lieu. Pour un départ, indiquez plutôt un jour de sortie.`}
          action="Retirer la participation"
          onConfirm={removeParticipation}
        />
      </>
    )
  },
)
