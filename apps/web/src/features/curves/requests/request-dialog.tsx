import { useQuery } from '@tanstack/react-query'
import { sync } from '@voisol/contract/sync'
import { addDays } from '@voisol/energy/calendar'
import { type ReactNode, useState } from 'react'
import { ENVIRONMENT_LABELS } from '../../../lib/distributor-labels.ts'
import { formatCount, formatNumber } from '../../../lib/format.ts'
import { query } from '../../../lib/queries.ts'
import { getErrorReason } from '../../../lib/reason.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogClose } from '../../../ui/dialog.tsx'
import { formatDayRange } from '../../../ui/period/label.ts'
import { type DayRequest, estimateRequestCost, planRequests, type RequestedDay } from './plan.ts'

const VISIBLE_PERIODS = 6

const formatApproximateDuration = (seconds: number) =>
  seconds < 60 ? 'moins d’une minute' : `environ ${formatCount(Math.ceil(seconds / 60), 'minute')}`

const SummaryLine = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="flex flex-wrap justify-between gap-x-6 gap-y-1 border-t border-line py-2.5 first:border-t-0">
    <dt className="text-ink-soft">{label}</dt>
    <dd className="tabular text-right font-medium">{children}</dd>
  </div>
)

const RequestPeriods = ({ requests }: { requests: DayRequest[] }) => (
  <ul className="grid gap-0.5 font-normal">
    {requests.slice(0, VISIBLE_PERIODS).map(({ from, to, pointIds }) => (
      <li key={from}>
        {formatDayRange(from, addDays(to, -1))}
        {requests.length > 1 && ` · ${formatCount(pointIds.length, 'point')}`}
      </li>
    ))}
    {requests.length > VISIBLE_PERIODS && (
      <li className="text-ink-soft">
        et {formatCount(requests.length - VISIBLE_PERIODS, 'autre période', 'autres périodes')}
      </li>
    )}
  </ul>
)

/** Through which connection, and for whom it will not be tried: calls are stopped there. */
function RequestConnection({ operationId, requests }: { operationId: string; requests: DayRequest[] }) {
  const { data } = useQuery({ ...query(sync.standing, { params: { id: operationId } }), staleTime: 0 })
  const requestedPointIds = new Set(requests.flatMap(({ pointIds }) => pointIds))
  const blocked =
    data?.points.filter(({ pointId, blockedAt }) => blockedAt !== null && requestedPointIds.has(pointId)) ?? []
  return (
    <>
      {data?.environment && (
        <SummaryLine label="Connexion">
          <Badge tone={ENVIRONMENT_LABELS[data.environment].tone}>{ENVIRONMENT_LABELS[data.environment].label}</Badge>
        </SummaryLine>
      )}
      {blocked.length > 0 && (
        <SummaryLine label="Appels arrêtés">
          <Badge tone="warning">
            {blocked.length === 1
              ? '1\u00a0point ne répondra pas'
              : `${formatNumber(blocked.length)} points ne répondront pas`}
          </Badge>
        </SummaryLine>
      )}
    </>
  )
}

type Props = { operationId: string; wanted: RequestedDay[]; onSend: (requests: DayRequest[]) => Promise<void> }

function RequestContent({ operationId, wanted, onSend, onClose }: Props & { onClose: () => void }) {
  const requests = planRequests(wanted)
  const { calls, points, seconds } = estimateRequestCost(requests)
  const [sending, setSending] = useState(false)
  const [problem, setProblem] = useState('')
  const send = async () => {
    setSending(true)
    setProblem('')
    try {
      await onSend(requests)
      onClose()
    } catch (error) {
      setProblem(getErrorReason(error))
      setSending(false)
    }
  }
  return (
    <>
      <dl className="rounded-card border border-line px-4 text-body">
        <SummaryLine label="Points">{formatNumber(points)}</SummaryLine>
        <SummaryLine label="Journées choisies">{formatNumber(wanted.length)}</SummaryLine>
        <SummaryLine label={requests.length > 1 ? `${formatNumber(requests.length)} périodes` : 'Période'}>
          <RequestPeriods requests={requests} />
        </SummaryLine>
        <SummaryLine label="Appels au distributeur">
          {formatNumber(calls)}{' '}
          <span className="font-normal text-ink-soft">({formatApproximateDuration(seconds)})</span>
        </SummaryLine>
        <RequestConnection operationId={operationId} requests={requests} />
      </dl>
      <p className="mt-4 text-body text-ink-soft">
        Une journée déjà reçue à l’identique n’est pas enregistrée deux fois. Vous pouvez quitter cette page pendant la
        demande.
      </p>
      {problem && (
        <p role="alert" className="mt-3 text-body text-danger">
          {problem}
        </p>
      )}
      <footer className="mt-6 flex flex-wrap justify-end gap-2">
        <DialogClose>
          <Button variant="secondary">Annuler</Button>
        </DialogClose>
        <Button loading={sending} onClick={send}>
          Redemander au distributeur
        </Button>
      </footer>
    </>
  )
}

/** What will be asked, before it is. */
export const RequestMissingDaysDialog = ({
  wanted,
  onClose,
  ...rest
}: Omit<Props, 'wanted'> & { wanted: RequestedDay[] | null; onClose: () => void }) => (
  <Dialog
    title="Redemander au distributeur"
    description="Les courbes de ces journées seront demandées à nouveau à Enedis."
    open={wanted !== null}
    onOpenChange={(open) => !open && onClose()}
  >
    {wanted && <RequestContent {...rest} wanted={wanted} onClose={onClose} />}
  </Dialog>
)
