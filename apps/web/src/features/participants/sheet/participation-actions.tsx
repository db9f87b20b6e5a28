import { type Participation, participations } from '@voisol/contract/points'
import Ellipsis from 'lucide-react/icons/ellipsis'
import { Suspense, useState } from 'react'
import { only, useCan } from '../../../lib/can.tsx'
import { prm } from '../../../lib/energy-labels.ts'
import { lookFirst } from '../../../lib/look-first.ts'
import { useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { Button } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { lazy } from '../../../ui/lazy.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../../ui/menu.tsx'
import { TOUCHED } from '../labels.ts'
import { useRefresh } from './use-refresh.ts'

const DatesDialog = lazy(async () => ({ default: (await import('./dates-dialog.tsx')).DatesDialog }))
const TransferDialog = lazy(async () => ({ default: (await import('./transfer-dialog.tsx')).TransferDialog }))

export const ParticipationActions = only(
  participations.update,
  ({ participation }: { participation: Participation }) => {
    const [panel, setPanel] = useState<'dates' | 'transfer' | 'remove'>()
    const remove = useAction(participations.remove, TOUCHED)
    const can = useCan()
    const close = () => setPanel(undefined)
    const refresh = useRefresh()
    const { id, operationName, point } = participation
    const drop = async () => {
      const seen = await lookFirst({ kind: 'remove', id }, 'Retirer la participation')
      if (!seen) return
      await remove.run({ params: { id }, query: seen })
      toast({ title: 'Participation retirée', variant: 'success' })
    }
    return (
      <>
        <Menu
          trigger={
            <Button
              variant="quiet"
              size="small"
              aria-label={`Actions pour ${operationName}, PRM ${prm(point.prm)}`}
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
          {panel === 'dates' && <DatesDialog participation={participation} onClose={close} refresh={refresh} />}
          {panel === 'transfer' && <TransferDialog participation={participation} onClose={close} />}
        </Suspense>
        <Confirm
          open={panel === 'remove'}
          onOpenChange={close}
          title="Retirer cette participation&#160;?"
          description={`Elle disparaît de «\u00a0${operationName}\u00a0» comme si elle n’avait pas eu lieu. Pour un départ, indiquez plutôt un jour de sortie.`}
          action="Retirer la participation"
          onConfirm={drop}
        />
      </>
    )
  },
)
