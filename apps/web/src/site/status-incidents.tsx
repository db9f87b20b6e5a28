import { ALL_INCIDENT_STATES, INCIDENT_SEVERITY_LABELS, STATUS_PARTS } from '@voisol/contract/incident-words'
import type { Incident } from '@voisol/contract/incidents'
import { formatDateTime } from '../lib/format.ts'
import { Badge, type Tone } from '../ui/badge.tsx'
import { cardClass } from '../ui/card.tsx'
import { cx } from '../ui/cx.ts'

const getIncidentTone = ({ closedAt, state }: Incident): Tone =>
  closedAt ? 'neutral' : state === 'planned' ? 'info' : 'warning'

function formatIncidentPeriod({ kind, startsAt, endsAt, closedAt }: Incident) {
  const end = kind === 'maintenance' ? endsAt : closedAt
  return end ? `Du ${formatDateTime(startsAt)} au ${formatDateTime(end)}` : `Depuis le ${formatDateTime(startsAt)}`
}

const IncidentItem = ({ incident }: { incident: Incident }) => (
  <li className={cx(cardClass, 'p-5 sm:p-6')}>
    <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
      <h3 className="text-lg font-semibold">{incident.title}</h3>
      <Badge tone={getIncidentTone(incident)}>{ALL_INCIDENT_STATES[incident.state]}</Badge>
    </div>
    <p className="mt-1 text-[0.9375rem] text-ink-soft">
      {[
        incident.kind === 'maintenance'
          ? 'Maintenance'
          : incident.severity && INCIDENT_SEVERITY_LABELS[incident.severity],
        incident.parts.map((part) => STATUS_PARTS[part]).join(', '),
        formatIncidentPeriod(incident),
      ]
        .filter(Boolean)
        .join(' · ')}
    </p>
    <ol className="mt-4 grid gap-4 border-line border-l-2 pl-4">
      {incident.updates.map(({ id, at, state, message }) => (
        <li key={id}>
          <p className="text-sm text-ink-soft">
            <span className="font-medium text-ink">{ALL_INCIDENT_STATES[state]}</span> ·{' '}
            <time dateTime={at}>{formatDateTime(at)}</time>
          </p>
          <p className="mt-0.5 whitespace-pre-line">{message}</p>
        </li>
      ))}
    </ol>
  </li>
)

type Props = { id: string; title: string; incidents: Incident[]; none?: string }

/** Under a heading of their own; without one of them and without words for it there is no heading. */
export function IncidentSection({ id, title, incidents, none }: Props) {
  if (incidents.length === 0 && !none) return null
  return (
    <section aria-labelledby={id} className="mt-12">
      <h2 id={id} className="text-2xl font-semibold tracking-tight">
        {title}
      </h2>
      {incidents.length === 0 ? (
        <p className="mt-3 text-ink-soft">{none}</p>
      ) : (
        <ul className="mt-5 grid gap-4">
          {incidents.map((incident) => (
            <IncidentItem key={incident.id} incident={incident} />
          ))}
        </ul>
      )}
    </section>
  )
}
