import type { EndpointReply } from '@voisol/contract/endpoint'
import type { status } from '@voisol/contract/status'
import { useLoaderData } from 'react-router'
import { formatDateTime } from '../lib/format.ts'
import { Badge, type Tone } from '../ui/badge.tsx'
import { cardClass } from '../ui/card.tsx'
import { cx } from '../ui/cx.ts'
import { Availability, AvailabilityLegend } from './status-days.tsx'
import { IncidentSection } from './status-incidents.tsx'
import { StatusSubscription } from './status-subscription.tsx'

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
