import { date, percent, plural } from '../lib/format.ts'

type Day = { date: string; availability: number | null; maintenance: boolean }

const FULL = 0.999
const POOR = 0.95
const looks = {
  none: { height: 6, fill: '#cbd5e1', word: 'pas de mesure' },
  full: { height: 32, fill: '#15803d', word: 'disponible' },
  partial: { height: 22, fill: '#f59e0b', word: 'perturbé' },
  poor: { height: 13, fill: '#b91c1c', word: 'interrompu' },
}
const lookOf = ({ availability }: Day) =>
  looks[availability === null ? 'none' : availability >= FULL ? 'full' : availability >= POOR ? 'partial' : 'poor']

/** Never rounded up: a failure of a few seconds must not read as 100 %. */
const shown = (availability: number) => percent(Math.floor(availability * 10_000) / 10_000, 2)
const MAINTENANCE = 'maintenance annoncée'
const words = (day: Day) => (day.availability === null ? looks.none.word : shown(day.availability))
/** The announcement stands beside the figure and never in its place. */
const allWords = (day: Day) => (day.maintenance ? `${words(day)}, ${MAINTENANCE}` : words(day))
const MARK = '#1d4ed8'

/** Height and colour say the same thing; the sentence beneath and the table say it in figures. */
const Bars = ({ days }: { days: Day[] }) => (
  <svg
    viewBox={`0 0 ${Math.max(days.length, 1) * 6} 38`}
    preserveAspectRatio="none"
    aria-hidden="true"
    className="mt-5 h-11 w-full"
  >
    {days.map((day, index) => {
      const { height, fill } = lookOf(day)
      return (
        <g key={day.date}>
          <title>{`${date(day.date)} : ${allWords(day)}`}</title>
          <rect x={index * 6} y={32 - height} width={4.4} height={height} fill={fill} />
          {day.maintenance && <rect x={index * 6} y={34.5} width={4.4} height={3.5} fill={MARK} />}
        </g>
      )
    })}
  </svg>
)

const Table = ({ label, days }: { label: string; days: Day[] }) => (
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
              <td className="py-1.5">{date(day.date)}</td>
              <td className="py-1.5 text-right">{allWords(day)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  </details>
)

/** What the bars mean, the tallest first. */
export const Legend = () => (
  <ul aria-label="Légende des barres" className="mt-6 flex flex-wrap gap-x-6 gap-y-2 text-sm text-ink-soft">
    {[looks.full, looks.partial, looks.poor, looks.none].map(({ height, fill, word }) => (
      <li key={word} className="flex items-end gap-2">
        <svg viewBox="0 0 5 32" aria-hidden="true" className="h-5 w-1">
          <rect y={32 - height} width={5} height={height} fill={fill} />
        </svg>
        {word}
      </li>
    ))}
    <li className="flex items-end gap-2">
      <svg viewBox="0 0 5 5" aria-hidden="true" className="mb-1 h-1 w-1.5" preserveAspectRatio="none">
        <rect width={5} height={5} fill={MARK} />
      </svg>
      {MAINTENANCE}
    </li>
  </ul>
)

function summary(days: Day[]) {
  const measured = days.flatMap(({ availability }) => (availability === null ? [] : [availability]))
  if (measured.length === 0) return 'Pas encore de mesure sur la période.'
  const mean = measured.reduce((sum, value) => sum + value, 0) / measured.length
  const silent = days.length - measured.length
  const over = `${shown(mean)} de disponibilité sur ${plural(measured.length, 'jour mesuré', 'jours mesurés')}`
  return silent > 0 ? `${over} ; pas de mesure pour ${plural(silent, 'jour')}.` : `${over}.`
}

export function Availability({ label, days }: { label: string; days: Day[] }) {
  const [first, last] = [days[0], days.at(-1)]
  return (
    <>
      <Bars days={days} />
      {first && last && (
        <p className="mt-1 flex justify-between text-sm text-ink-soft">
          <span>{date(first.date)}</span>
          <span>{date(last.date)}</span>
        </p>
      )}
      <p className="mt-2 text-[0.9375rem]">{summary(days)}</p>
      <Table label={label} days={days} />
    </>
  )
}
