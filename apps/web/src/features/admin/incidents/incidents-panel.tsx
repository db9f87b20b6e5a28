import { useQuery } from '@tanstack/react-query'
import {
  ALL_INCIDENT_STATES,
  INCIDENT_SEVERITY_LABELS,
  STATUS_PARTS,
  type StatusPartName,
} from '@voisol/contract/incident-states'
import { type Incident, incidents } from '@voisol/contract/incidents'
import { Suspense, useState } from 'react'
import { Badge, type Tone } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { lazy } from '../../../components/lazy.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { withAccess } from '../../../lib/can.tsx'
import { formatCount, formatDateTime } from '../../../lib/format.ts'
import { query } from '../../../lib/queries.ts'

const OpenForm = lazy(() => import('./open-form.tsx'))
const PlanForm = lazy(() => import('./plan-form.tsx'))
const NewsForm = lazy(() => import('./news-form.tsx'))

export const IncidentActions = withAccess(incidents.open, () => {
  const [form, setForm] = useState<'open' | 'plan' | null>(null)
  const close = () => setForm(null)
  return (
    <>
      <Button variant="secondary" onClick={() => setForm('plan')}>
        Annoncer une maintenance
      </Button>
      <Button onClick={() => setForm('open')}>Ouvrir un incident</Button>
      <Suspense fallback={null}>
        {form === 'open' && <OpenForm onClose={close} />}
        {form === 'plan' && <PlanForm onClose={close} />}
      </Suspense>
    </>
  )
})

const PublishNewsButton = withAccess(incidents.tell, ({ incident }: { incident: Incident }) => {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button size="small" variant="secondary" onClick={() => setOpen(true)}>
        Publier une nouvelle
      </Button>
      <Suspense fallback={null}>{open && <NewsForm incident={incident} onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
})

const IncidentUpdates = ({ updates }: Pick<Incident, 'updates'>) => (
  <ol className="grid gap-4 border-line border-l-2 pl-4">
    {updates.map(({ id, at, state, message }) => (
      <li key={id} className="grid gap-0.5">
        <p className="text-[0.8125rem] text-ink-soft">
          <span className="font-medium text-ink">{ALL_INCIDENT_STATES[state]}</span> ·{' '}
          <time dateTime={at}>{formatDateTime(at)}</time>
        </p>
        <p className="prose-width whitespace-pre-line text-body">{message}</p>
      </li>
    ))}
  </ol>
)

const IncidentCard = ({ incident }: { incident: Incident }) => (
  <Card
    title={incident.title}
    description={`${formatIncidentPeriod(incident)} · ${formatStatusParts(incident.parts)}`}
    actions={
      <>
        {incident.severity && <Badge>{INCIDENT_SEVERITY_LABELS[incident.severity]}</Badge>}
        <Badge tone={getIncidentTone(incident)}>{ALL_INCIDENT_STATES[incident.state]}</Badge>
      </>
    }
  >
    <div className="grid gap-5">
      {isMaintenanceOverdue(incident) && (
        <p className="rounded-card bg-warning-soft p-4 text-body text-warning">
          La fin annoncée est passée : dites que la maintenance est terminée, ou pourquoi elle dure.
        </p>
      )}
      <IncidentUpdates updates={incident.updates} />
      {incident.closedAt === null && (
        <div>
          <PublishNewsButton incident={incident} />
        </div>
      )}
    </div>
  </Card>
)

const describeAudience = (subscribers: number) =>
  subscribers > 0
    ? `Chaque nouvelle part à ${formatCount(subscribers, 'abonné')} et se lit sur la page d’état du service.`
    : 'Chaque nouvelle se lit sur la page d’état du service ; personne n’y est encore abonné.'

/** What is told of the service, by those who keep it. */
export function IncidentsPanel() {
  const { data, error, refetch } = useQuery(query(incidents.list, {}))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  const running = data.items.filter(({ closedAt }) => closedAt === null)
  const past = data.items.filter(({ closedAt }) => closedAt !== null)
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      <p className="text-body text-ink-soft">{describeAudience(data.subscribers)}</p>
      {data.items.length === 0 && (
        <Card>
          <EmptyState
            title="Aucun incident"
            why="Un incident ou une maintenance publiés ici se lisent sur la page publique /status."
            because="all-well"
          />
        </Card>
      )}
      {[...running, ...past].map((incident) => (
        <IncidentCard key={incident.id} incident={incident} />
      ))}
    </div>
  )
}

const STATE_TONES: Record<Incident['state'], Tone> = {
  investigating: 'danger',
  identified: 'warning',
  monitoring: 'info',
  resolved: 'success',
  planned: 'info',
  ongoing: 'warning',
  completed: 'success',
  cancelled: 'neutral',
}
const getIncidentTone = ({ state }: Pick<Incident, 'state'>): Tone => STATE_TONES[state]

export const formatStatusParts = (parts: readonly StatusPartName[]) =>
  parts.map((part) => STATUS_PARTS[part]).join(', ')

/** When it was, or is to be. */
export const formatIncidentPeriod = ({ kind, startsAt, endsAt, closedAt }: Incident) => {
  if (kind === 'maintenance' && endsAt) return `Du ${formatDateTime(startsAt)} au ${formatDateTime(endsAt)}`
  return closedAt
    ? `Du ${formatDateTime(startsAt)} au ${formatDateTime(closedAt)}`
    : `Depuis le ${formatDateTime(startsAt)}`
}

/** A window that is past while nobody said that the work is done. */
export const isMaintenanceOverdue = ({ endsAt, closedAt }: Incident, now = Date.now()) =>
  endsAt !== null && closedAt === null && Date.parse(endsAt) < now
