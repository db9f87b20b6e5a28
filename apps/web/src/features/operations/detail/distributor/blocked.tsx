import { type PointSyncStatus, sync } from '@voisol/contract/sync'
import RotateCcw from 'lucide-react/icons/rotate-ccw'
import { useCan, withAccess } from '../../../../lib/can.tsx'
import { formatPrm } from '../../../../lib/energy-labels.ts'
import { explainError } from '../../../../lib/explain.ts'
import { formatCount, formatDate } from '../../../../lib/format.ts'
import { formatPointName } from '../../../../lib/point-name.ts'
import { useAction } from '../../../../lib/queries.ts'
import { toast } from '../../../../lib/toast.ts'
import { Button } from '../../../../ui/button.tsx'
import { Card } from '../../../../ui/card.tsx'
import { FaultNote } from '../../../../ui/fault.tsx'
import { ResumeAllButton } from '../../../../ui/resume-all.tsx'

const ResumeButton = withAccess(sync.resume, ({ point }: { point: PointSyncStatus }) => {
  const { run, isPending } = useAction(sync.resume, [sync.standing])
  const resume = () =>
    run({ params: { id: point.pointId } }).then(
      () => toast({ title: 'Les appels de ce point reprennent', variant: 'success' }),
      (error: unknown) =>
        toast({ title: 'Reprise impossible', description: explainError(error), variant: 'destructive' }),
    )
  return (
    <Button
      variant="secondary"
      size="small"
      icon={<RotateCcw aria-hidden="true" />}
      loading={isPending}
      aria-label={`Reprendre les appels de ${formatPointName(point)}`}
      onClick={() => void resume()}
    >
      Reprendre
    </Button>
  )
})

const BlockedPoint = ({ point }: { point: PointSyncStatus }) => (
  <li className="grid gap-x-6 gap-y-2 py-4 first:pt-0 last:pb-0 lg:grid-cols-[16rem_1fr_auto] lg:items-start [&>*]:min-w-0">
    <p className="text-body">
      <span className="font-medium">{formatPointName(point)}</span>
      <span className="tabular block text-[0.8125rem] text-ink-soft">{formatPrm(point.prm)}</span>
      {point.blockedAt && (
        <span className="block text-[0.8125rem] text-ink-soft">Sans appel depuis le {formatDate(point.blockedAt)}</span>
      )}
    </p>
    {point.fault ? <FaultNote fault={{ ...point.fault, message: '' }} className="prose-width" /> : <span />}
    <div>
      <ResumeButton point={point} />
    </div>
  </li>
)

/** Points that are not called any more: the reason, what to do, and the way back. */
export const BlockedPoints = ({ points, operationId }: { points: PointSyncStatus[]; operationId: string }) => (
  <Card
    title="Points bloqués"
    actions={points.length > 1 && <ResumeAllButton operationId={operationId} />}
    description={`Enedis a refusé ${formatCount(points.length, 'point', 'points')}\u00a0: plus aucun appel n’est fait tant que la cause n’est pas levée.${useCan()(sync.resume) ? ' Reprenez ensuite les appels.' : ''}`}
  >
    <ul className="divide-y divide-line">
      {points.map((point) => (
        <BlockedPoint key={point.pointId} point={point} />
      ))}
    </ul>
  </Card>
)
