import { useQuery } from '@tanstack/react-query'
import type { Reply } from '@voisol/contract/endpoint'
import { type Application, joiningDesk, type LeavingSeat } from '@voisol/contract/joining-desk'
import { APPLICATION_STATES } from '@voisol/contract/joining-words'
import { useState } from 'react'
import { download } from '../../lib/call.ts'
import { prm } from '../../lib/energy-labels.ts'
import { explain } from '../../lib/explain.ts'
import { date, plural } from '../../lib/format.ts'
import { query, useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { TONES } from './labels.ts'
import { Leave } from './leave.tsx'
import { followsWords } from './words.ts'

type Departures = Reply<typeof joiningDesk.departures>

function Asked({ one }: { one: Application }) {
  const stay = useAction(joiningDesk.stay, [joiningDesk.departures])
  const [sure, setSure] = useState(false)
  const params = { id: one.id }
  const take = () =>
    download(joiningDesk.paper, { params }).catch((error: unknown) =>
      toast({ title: 'Téléchargement impossible', description: explain(error), variant: 'destructive' }),
    )
  const back = async () => {
    await stay.run({ params, body: { version: one.version } })
    toast({ title: 'Votre demande est retirée', variant: 'success' })
  }
  return (
    <li className="grid gap-2 py-4 first:pt-0 last:pb-0">
      <p className="flex flex-wrap items-center gap-2">
        <span className="font-medium">{one.operation}</span>
        <Badge tone={TONES[one.state]}>{APPLICATION_STATES[one.state]}</Badge>
      </p>
      <p className="text-ink-soft">
        {one.effectiveOn
          ? `Votre participation s’arrête le ${date(one.effectiveOn)}.`
          : `Départ demandé pour le ${one.wantedOn ? date(one.wantedOn) : ''}.`}{' '}
        {one.reason}
      </p>
      <p className="flex flex-wrap gap-2">
        <Button variant="secondary" size="small" onClick={() => void take()}>
          Télécharger ma demande signée
        </Button>
        {one.state === 'waiting' && (
          <Button variant="quiet" size="small" onClick={() => setSure(true)}>
            Retirer ma demande
          </Button>
        )}
      </p>
      {sure && (
        <Confirm
          title="Retirer votre demande de départ&nbsp;?"
          description="Votre participation continue comme avant. Vous pourrez demander à partir une autre fois."
          action="Retirer ma demande"
          tone="primary"
          open
          onOpenChange={setSure}
          onConfirm={back}
        />
      )}
    </li>
  )
}

const Seat = ({ seat, onLeave }: { seat: LeavingSeat; onLeave: () => void }) => (
  <li className="grid gap-3 py-4 first:pt-0 last:pb-0 sm:grid-cols-[minmax(0,1fr)_auto] sm:items-center">
    <div>
      <p className="font-medium">
        {seat.operation}
        {seat.label && `, ${seat.label}`}
      </p>
      <p className="text-ink-soft">
        Compteur {prm(seat.prm)}. Préavis de {plural(seat.noticeDays, 'jour')}&nbsp;: départ possible à partir du{' '}
        {date(seat.firstOn)}.
      </p>
    </div>
    <Button variant="secondary" onClick={onLeave} aria-label={`Quitter ${seat.operation}, compteur ${seat.prm}`}>
      Quitter ou déménager
    </Button>
  </li>
)

const Follows = ({ facts }: Pick<Departures, 'facts'>) => (
  <Card title="Ce qui se passe quand vous partez">
    <ul className="grid list-disc gap-1.5 pl-5">
      {followsWords(facts).map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  </Card>
)

function Whole({ data }: { data: Departures }) {
  const [leaving, setLeaving] = useState<LeavingSeat | null>(null)
  const asked = new Set(data.items.filter(({ state }) => state === 'waiting').map(({ prm: point }) => point))
  const seats = data.seats.filter((seat) => !asked.has(seat.prm) && seat.endsOn === null)
  return (
    <div className="grid gap-6">
      {data.items.length > 0 && (
        <Card title="Vos demandes">
          <ul className="divide-y divide-line">
            {data.items.map((one) => (
              <Asked key={one.id} one={one} />
            ))}
          </ul>
        </Card>
      )}
      <Follows facts={data.facts} />
      {seats.length > 0 && (
        <Card title="Vos participations">
          <ul className="divide-y divide-line">
            {seats.map((seat) => (
              <Seat key={seat.participationId} seat={seat} onLeave={() => setLeaving(seat)} />
            ))}
          </ul>
        </Card>
      )}
      {leaving && <Leave seat={leaving} onClose={() => setLeaving(null)} />}
    </div>
  )
}

/** The way out of an operation: what follows, from when, and the request to sign. */
export default function DepartureScreen() {
  const { data, error, refetch } = useQuery(query(joiningDesk.departures, {}))
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeader
        title="Quitter ou déménager"
        description="Vous voyez d’abord ce qui suit et à partir de quel jour. Rien ne part sans votre signature."
      />
      {error && <ErrorState error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton className="h-64 w-full" />}
      {data &&
        (data.seats.length || data.items.length ? (
          <Whole data={data} />
        ) : (
          <EmptyState
            title="Aucune participation"
            why="Aucun de vos compteurs ne prend part à une opération."
            action={
              <ButtonLink variant="secondary" to="/client-portal/support?nouvelle=1">
                Écrire à l’organisateur
              </ButtonLink>
            }
          />
        ))}
    </div>
  )
}
