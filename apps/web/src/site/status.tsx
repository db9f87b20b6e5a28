import type { EndpointReply } from '@voisol/contract/endpoint'
import { ALL_INCIDENT_STATES, INCIDENT_SEVERITY_LABELS, STATUS_PARTS } from '@voisol/contract/incident-states'
import type { Incident } from '@voisol/contract/incidents'
import type { status } from '@voisol/contract/status'
import { useState } from 'react'
import { useLoaderData, useSearchParams } from 'react-router'
import { Badge, type Tone } from '../components/badge.tsx'
import { Button } from '../components/button.tsx'
import { cardClass } from '../components/card.tsx'
import { cx } from '../components/cx.ts'
import { formatCount, formatDate, formatDateTime, formatPercent } from '../lib/format.ts'
import { randomId } from '../lib/random-id.ts'
import { postForm } from './forms/post-form.ts'
import { SiteForm } from './forms/site-form.tsx'

type Status = EndpointReply<typeof status.get>
type ServiceState = Status['state']

const stateLabels: Record<ServiceState, { overall: string; one: string; tone: Tone }> = {
  operational: { overall: 'Tout fonctionne', one: 'Fonctionne', tone: 'success' },
  degraded: { overall: 'Le service est ralenti ou incomplet', one: 'Dégradé', tone: 'warning' },
  down: { overall: 'Le service est interrompu', one: 'Interrompu', tone: 'danger' },
}
const stateClasses: Record<ServiceState, string> = {
  operational: 'border-success/30 bg-success-soft text-success',
  degraded: 'border-warning/30 bg-warning-soft text-warning',
  down: 'border-danger/30 bg-danger-soft text-danger',
}

const ComponentList = ({ components }: Pick<Status, 'components'>) => (
  <ul className="mt-8 grid gap-4">
    {components.map(({ name, label, state, days }) => (
      <li key={name} className={cx(cardClass, 'p-5 sm:p-6')}>
        <div className="flex flex-wrap items-center justify-between gap-3">
          <h2 className="text-lg font-semibold">{label}</h2>
          <Badge tone={stateLabels[state].tone}>{stateLabels[state].one}</Badge>
        </div>
        <Availability label={label} days={days} />
      </li>
    ))}
  </ul>
)

/** The worse of what is measured and what is said: an incident that no measure shows is one all the same. */
function getHeadline(state: ServiceState, running: Status['incidents']): { look: ServiceState; text: string } {
  if (state === 'down') return { look: state, text: stateLabels.down.overall }
  if (running.some(({ severity }) => severity === 'critical')) return { look: 'down', text: stateLabels.down.overall }
  if (running.some(({ kind }) => kind === 'incident')) return { look: 'degraded', text: 'Un incident est en cours' }
  if (running.length > 0) return { look: 'degraded', text: 'Une maintenance est en cours' }
  return { look: state, text: stateLabels[state].overall }
}

function StatusDetails({ state, checkedAt, version, components, incidents }: Status) {
  const planned = incidents.filter((one) => one.state === 'planned')
  const running = incidents.filter((one) => one.closedAt === null && one.state !== 'planned')
  const past = incidents.filter((one) => one.closedAt !== null)
  const { look, text } = getHeadline(state, running)
  return (
    <>
      <div className={cx('mt-8 rounded-card border px-5 py-5 sm:px-6', stateClasses[look])}>
        <p className="text-2xl font-semibold tracking-tight">{text}</p>
        <p className="mt-1">
          Vérifié le {formatDateTime(checkedAt)} · version {version}
        </p>
      </div>
      <IncidentSection id="en-cours" title="En cours" incidents={running} />
      <IncidentSection id="annonces" title="Maintenances annoncées" incidents={planned} />
      <ComponentList components={components} />
      <AvailabilityLegend />
      <IncidentSection
        id="historique"
        title="Incidents et maintenances des 90 derniers jours"
        incidents={past}
        none="Aucun incident sur cette période."
      />
      <StatusSubscription />
    </>
  )
}

const StatusUnknown = () => (
  <div className={cx(cardClass, 'mt-8 p-6')}>
    <p className="text-xl font-semibold">L’état du service n’a pas pu être lu</p>
    <p className="mt-2 text-ink-soft">
      La mesure elle-même ne répond pas : nous ne savons donc rien en dire. Rechargez la page dans un instant.
    </p>
  </div>
)

/** What was measured, and nothing else: a day without measurement says so. */
export default function StatusPage() {
  const statusReply = useLoaderData<Status | null | undefined>()
  return (
    <div className="bg-page">
      <div className="mx-auto max-w-[960px] px-4 py-16 sm:px-6 lg:py-24">
        <h1 className="text-4xl font-semibold leading-tight outline-none sm:text-5xl">État du service</h1>
        <p className="prose-width mt-4 text-lg text-ink-soft">
          La disponibilité de chaque partie de Voisol, mesurée en continu sur les 90 derniers jours.
        </p>
        {statusReply ? <StatusDetails {...statusReply} /> : <StatusUnknown />}
      </div>
    </div>
  )
}

type SubscriptionAnswer = 'confirm' | 'leave'

function SubscriptionChoice({ cle }: { cle: string }) {
  const [busy, setBusy] = useState<SubscriptionAnswer | ''>('')
  const [words, setWords] = useState<{ ok: boolean; text: string } | null>(null)
  const choose = async (choice: SubscriptionAnswer) => {
    setBusy(choice)
    const reply = await postForm('/api/status/subscription/choice', { key: cle, choice }, randomId())
    setWords(reply.ok ? { ok: true, text: String(reply.data.message) } : { ok: false, text: reply.message })
    setBusy('')
  }
  return (
    <div className="grid gap-4">
      {words && (
        <p role={words.ok ? 'status' : 'alert'} className={words.ok ? 'font-medium text-success' : 'text-danger'}>
          {words.text}
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        <Button size="large" loading={busy === 'confirm'} onClick={() => void choose('confirm')}>
          Confirmer mon abonnement
        </Button>
        <Button size="large" variant="secondary" loading={busy === 'leave'} onClick={() => void choose('leave')}>
          Me désabonner
        </Button>
      </div>
    </div>
  )
}

/** Asked for here, confirmed from the mail, left in one click. */
function StatusSubscription() {
  const [search] = useSearchParams()
  const cle = search.get('cle')
  return (
    <section
      id="abonnement"
      aria-labelledby="abonnement-titre"
      className="mt-12 scroll-mt-24 rounded-card border border-line bg-card p-6 sm:p-8"
    >
      <h2 id="abonnement-titre" className="text-xl font-semibold">
        {cle ? 'Votre abonnement à l’état du service' : 'Être prévenu'}
      </h2>
      <p className="mt-2 mb-5 max-w-xl text-ink-soft">
        Un e-mail à chaque incident et à chaque maintenance, et l’on se désabonne d’un clic.
      </p>
      {cle ? (
        <SubscriptionChoice cle={cle} />
      ) : (
        <SiteForm
          path="/api/status/subscription"
          fields={[{ name: 'email', label: 'Adresse e-mail', type: 'email', autoComplete: 'email', maxLength: 254 }]}
          action="Me prévenir"
          note="Un message de confirmation vous sera envoyé."
        />
      )}
    </section>
  )
}

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
function IncidentSection({ id, title, incidents, none }: Props) {
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

type StatusDay = { date: string; availability: number | null; maintenance: boolean }

const FULL_AVAILABILITY = 0.999
const MIN_PARTIAL_AVAILABILITY = 0.95
const barStyles = {
  none: { height: 6, fill: '#cbd5e1', word: 'pas de mesure' },
  full: { height: 32, fill: '#15803d', word: 'disponible' },
  partial: { height: 22, fill: '#f59e0b', word: 'perturbé' },
  poor: { height: 13, fill: '#b91c1c', word: 'interrompu' },
}
const getBarStyle = ({ availability }: StatusDay) =>
  barStyles[
    availability === null
      ? 'none'
      : availability >= FULL_AVAILABILITY
        ? 'full'
        : availability >= MIN_PARTIAL_AVAILABILITY
          ? 'partial'
          : 'poor'
  ]

/** Never rounded up: a failure of a few seconds must not read as 100 %. */
const formatAvailability = (availability: number) => formatPercent(Math.floor(availability * 10_000) / 10_000, 2)
const MAINTENANCE_LABEL = 'maintenance annoncée'
const describeAvailability = (day: StatusDay) =>
  day.availability === null ? barStyles.none.word : formatAvailability(day.availability)
/** The announcement stands beside the figure and never in its place. */
const describeDay = (day: StatusDay) =>
  day.maintenance ? `${describeAvailability(day)}, ${MAINTENANCE_LABEL}` : describeAvailability(day)
const MAINTENANCE_COLOUR = '#1d4ed8'

/** Height and colour say the same thing; the sentence beneath and the table say it in figures. */
const AvailabilityBars = ({ days }: { days: StatusDay[] }) => (
  <svg
    viewBox={`0 0 ${Math.max(days.length, 1) * 6} 38`}
    preserveAspectRatio="none"
    aria-hidden="true"
    className="mt-5 h-11 w-full"
  >
    {days.map((day, index) => {
      const { height, fill } = getBarStyle(day)
      return (
        <g key={day.date}>
          <title>{`${formatDate(day.date)} : ${describeDay(day)}`}</title>
          <rect x={index * 6} y={32 - height} width={4.4} height={height} fill={fill} />
          {day.maintenance && <rect x={index * 6} y={34.5} width={4.4} height={3.5} fill={MAINTENANCE_COLOUR} />}
        </g>
      )
    })}
  </svg>
)

const AvailabilityTable = ({ label, days }: { label: string; days: StatusDay[] }) => (
  <details className="mt-3">
    <summary className="inline-flex min-h-8 items-center text-sm font-medium text-primary-ink">Voir le tableau</summary>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
    <section className="mt-2 max-h-72 overflow-y-auto" tabIndex={0} aria-label={`${label}, jour par jour`}>
      <table className="tabular w-full max-w-md text-left text-sm">
        <thead>
          <tr className="border-line border-b">
            <th scope="col" className="py-2 font-medium">
              Jour
            </th>
            <th scope="col" className="py-2 text-right font-medium">
              Disponibilité
            </th>
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map((day) => (
            <tr key={day.date} className="border-line border-b">
              <td className="py-1.5">{formatDate(day.date)}</td>
              <td className="py-1.5 text-right">{describeDay(day)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  </details>
)

/** What the bars mean, the tallest first. */
const AvailabilityLegend = () => (
  <ul aria-label="Légende des barres" className="mt-6 flex flex-wrap gap-x-6 gap-y-2 text-sm text-ink-soft">
    {[barStyles.full, barStyles.partial, barStyles.poor, barStyles.none].map(({ height, fill, word }) => (
      <li key={word} className="flex items-end gap-2">
        <svg viewBox="0 0 5 32" aria-hidden="true" className="h-5 w-1">
          <rect y={32 - height} width={5} height={height} fill={fill} />
        </svg>
        {word}
      </li>
    ))}
    <li className="flex items-end gap-2">
      <svg viewBox="0 0 5 5" aria-hidden="true" className="mb-1 h-1 w-1.5" preserveAspectRatio="none">
        <rect width={5} height={5} fill={MAINTENANCE_COLOUR} />
      </svg>
      {MAINTENANCE_LABEL}
    </li>
  </ul>
)

function describeDays(days: StatusDay[]) {
  const measured = days.flatMap(({ availability }) => (availability === null ? [] : [availability]))
  if (measured.length === 0) return 'Pas encore de mesure sur la période.'
  const mean = measured.reduce((sum, value) => sum + value, 0) / measured.length
  const silent = days.length - measured.length
  const over = `${formatAvailability(mean)} de disponibilité sur ${formatCount(measured.length, 'jour mesuré', 'jours mesurés')}`
  return silent > 0 ? `${over} ; pas de mesure pour ${formatCount(silent, 'jour')}.` : `${over}.`
}

function Availability({ label, days }: { label: string; days: StatusDay[] }) {
  const [first, last] = [days[0], days.at(-1)]
  return (
    <>
      <AvailabilityBars days={days} />
      {first && last && (
        <p className="mt-1 flex justify-between text-sm text-ink-soft">
          <span>{formatDate(first.date)}</span>
          <span>{formatDate(last.date)}</span>
        </p>
      )}
      <p className="mt-2 text-[0.9375rem]">{describeDays(days)}</p>
      <AvailabilityTable label={label} days={days} />
    </>
  )
}
