import { useQuery } from '@tanstack/react-query'
import { sync } from '@voisol/contract/sync'
import { addDays } from '@voisol/energy/calendar'
import { type ReactNode, useState } from 'react'
import { ENVIRONMENTS } from '../../../lib/distributor-labels.ts'
import { number, plural } from '../../../lib/format.ts'
import { query } from '../../../lib/queries.ts'
import { reasonOf } from '../../../lib/reason.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogClose } from '../../../ui/dialog.tsx'
import { daysLabel } from '../../../ui/period/label.ts'
import { costOf, type DayRequest, requestsOf, type WantedDay } from './plan.ts'

const SHOWN = 6

const duration = (seconds: number) =>
  seconds < 60 ? 'moins d’une minute' : `environ ${plural(Math.ceil(seconds / 60), 'minute')}`

const Line = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="flex flex-wrap justify-between gap-x-6 gap-y-1 border-t border-line py-2.5 first:border-t-0">
    <dt className="text-ink-soft">{label}</dt>
    <dd className="tabular text-right font-medium">{children}</dd>
  </div>
)

const Periods = ({ requests }: { requests: DayRequest[] }) => (
  <ul className="grid gap-0.5 font-normal">
    {requests.slice(0, SHOWN).map(({ from, to, pointIds }) => (
      <li key={from}>
        {daysLabel(from, addDays(to, -1))}
        {requests.length > 1 && ` · ${plural(pointIds.length, 'point')}`}
      </li>
    ))}
    {requests.length > SHOWN && (
      <li className="text-ink-soft">et {plural(requests.length - SHOWN, 'autre période', 'autres périodes')}</li>
    )}
  </ul>
)

/** Through which connection, and for whom it will not be tried: calls are stopped there. */
function Standing({ operationId, requests }: { operationId: string; requests: DayRequest[] }) {
  const { data } = useQuery({ ...query(sync.standing, { params: { id: operationId } }), staleTime: 0 })
  const asked = new Set(requests.flatMap(({ pointIds }) => pointIds))
  const blocked = data?.points.filter(({ pointId, blockedAt }) => blockedAt !== null && asked.has(pointId)) ?? []
  return (
    <>
      {data?.environment && (
        <Line label="Connexion">
          <Badge tone={ENVIRONMENTS[data.environment].tone}>{ENVIRONMENTS[data.environment].label}</Badge>
        </Line>
      )}
      {blocked.length > 0 && (
        <Line label="Appels arrêtés">
          <Badge tone="warning">
            {blocked.length === 1
              ? '1\u00a0point ne répondra pas'
              : `${number(blocked.length)} points ne répondront pas`}
          </Badge>
        </Line>
      )}
    </>
  )
}

type Props = { operationId: string; wanted: WantedDay[]; onSend: (requests: DayRequest[]) => Promise<void> }

function Content({ operationId, wanted, onSend, onClose }: Props & { onClose: () => void }) {
  const requests = requestsOf(wanted)
  const { calls, points, seconds } = costOf(requests)
  const [sending, setSending] = useState(false)
  const [problem, setProblem] = useState('')
  const send = async () => {
    setSending(true)
    setProblem('')
    try {
      await onSend(requests)
      onClose()
    } catch (error) {
      setProblem(reasonOf(error))
      setSending(false)
    }
  }
  return (
    <>
      <dl className="rounded-card border border-line px-4 text-body">
        <Line label="Points">{number(points)}</Line>
        <Line label="Journées choisies">{number(wanted.length)}</Line>
        <Line label={requests.length > 1 ? `${number(requests.length)} périodes` : 'Période'}>
          <Periods requests={requests} />
        </Line>
        <Line label="Appels au distributeur">
          {number(calls)} <span className="font-normal text-ink-soft">({duration(seconds)})</span>
        </Line>
        <Standing operationId={operationId} requests={requests} />
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
export const RequestDialog = ({
  wanted,
  onClose,
  ...rest
}: Omit<Props, 'wanted'> & { wanted: WantedDay[] | null; onClose: () => void }) => (
  <Dialog
    title="Redemander au distributeur"
    description="Les courbes de ces journées seront demandées à nouveau à Enedis."
    open={wanted !== null}
    onOpenChange={(open) => !open && onClose()}
  >
    {wanted && <Content {...rest} wanted={wanted} onClose={onClose} />}
  </Dialog>
)
