import { formatCount, formatDate, formatPercent } from '../lib/format.ts'

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
export const AvailabilityLegend = () => (
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

export function Availability({ label, days }: { label: string; days: StatusDay[] }) {
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
