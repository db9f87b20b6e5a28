import { useQuery } from '@tanstack/react-query'
import { curves } from '@voisol/contract/curves'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import { query } from '../../../lib/queries.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { formatFullDay } from '../../../ui/period/label.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { DayVersions } from './day-versions.tsx'

export type SelectedDay = { pointId: string; name: string; day: string }

function DayContent({ pointId, day, name }: SelectedDay) {
  const { data, error, refetch } = useQuery({
    ...query(curves.versions, { params: { id: pointId, day } }),
    staleTime: 0,
  })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-72 w-full" />
  if (data.items.length === 0)
    return (
      <p className="py-4 text-body text-ink-soft">
        Aucun relevé n’a été reçu pour cette journée. Rien n’est compté comme zéro&nbsp;: elle reste manquante jusqu’à
        son arrivée.
      </p>
    )
  return <DayVersions name={name} startsAt={data.startsAt} items={data.items} />
}

type Props = {
  chosen: SelectedDay | null
  onClose: () => void
  /** Where the day is not whole: the distributor can be asked for it again. */
  onRequest?: () => void
}

/** All that was ever received for one day of one point. */
export const DayDialog = ({ chosen, onClose, onRequest }: Props) => (
  <Dialog
    title={chosen ? formatFullDay(chosen.day).replace(/^./, (first) => first.toUpperCase()) : ''}
    description={chosen?.name}
    width="wide"
    open={chosen !== null}
    onOpenChange={(open) => !open && onClose()}
    actions={
      onRequest && (
        <Button variant="secondary" icon={<RefreshCw aria-hidden="true" />} onClick={onRequest}>
          Redemander au distributeur
        </Button>
      )
    }
  >
    {chosen && <DayContent {...chosen} />}
  </Dialog>
)
