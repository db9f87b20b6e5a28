import type { Reply } from '@voisol/contract/endpoint'
import type { status } from '@voisol/contract/status'
import { useLoaderData } from 'react-router'
import { dateTime } from '../lib/format.ts'
import { Badge, type Tone } from '../ui/badge.tsx'
import { cardClass } from '../ui/card.tsx'
import { cx } from '../ui/cx.ts'
import { Availability, Legend } from './status-days.tsx'

type Status = Reply<typeof status.get>
type State = Status['state']

const words: Record<State, { overall: string; one: string; tone: Tone }> = {
  operational: { overall: 'Tout fonctionne', one: 'Fonctionne', tone: 'success' },
  degraded: { overall: 'Le service est ralenti ou incomplet', one: 'Dégradé', tone: 'warning' },
  down: { overall: 'Le service est interrompu', one: 'Interrompu', tone: 'danger' },
}
const surfaces: Record<State, string> = {
  operational: 'border-success/30 bg-success-soft text-success',
  degraded: 'border-warning/30 bg-warning-soft text-warning',
  down: 'border-danger/30 bg-danger-soft text-danger',
}

const Components = ({ components }: Pick<Status, 'components'>) => (
  <ul className="mt-8 grid gap-4">
    {components.map(({ name, label, state, days }) => (
      <li key={name} className={cx(cardClass, 'p-5 sm:p-6')}>
        <div className="flex flex-wrap items-center justify-between gap-3">
          <h2 className="text-lg font-semibold">{label}</h2>
          <Badge tone={words[state].tone}>{words[state].one}</Badge>
        </div>
        <Availability label={label} days={days} />
      </li>
    ))}
  </ul>
)

function Known({ state, checkedAt, version, components }: Status) {
  return (
    <>
      <div className={cx('mt-8 rounded-card border px-5 py-5 sm:px-6', surfaces[state])}>
        <p className="text-2xl font-semibold tracking-tight">{words[state].overall}</p>
        <p className="mt-1">
          Vérifié le {dateTime(checkedAt)} · version {version}
        </p>
      </div>
      <Components components={components} />
      <Legend />
    </>
  )
}

const Unknown = () => (
  <div className={cx(cardClass, 'mt-8 p-6')}>
    <p className="text-xl font-semibold">L’état du service n’a pas pu être lu</p>
    <p className="mt-2 text-ink-soft">
      La mesure elle-même ne répond pas : nous ne savons donc rien en dire. Rechargez la page dans un instant.
    </p>
  </div>
)

/** What was measured, and nothing else: a day without measurement says so. */
export default function StatusPage() {
  const known = useLoaderData<Status | null | undefined>()
  return (
    <div className="bg-page">
      <div className="mx-auto max-w-[960px] px-4 py-16 sm:px-6 lg:py-24">
        <h1 className="text-4xl font-semibold leading-tight outline-none sm:text-5xl">État du service</h1>
        <p className="prose-width mt-4 text-lg text-ink-soft">
          La disponibilité de chaque partie de Voisol, mesurée en continu sur les 90 derniers jours.
        </p>
        {known ? <Known {...known} /> : <Unknown />}
      </div>
    </div>
  )
}
