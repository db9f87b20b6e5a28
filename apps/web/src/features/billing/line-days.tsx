import type { OpenDocument } from '@voisol/contract/billing-documents'
import { formatNumber } from '../../lib/format.ts'

type LineDay = OpenDocument['lines'][number]['days'][number]

/** A fraction of watt-minutes as watt-hours, for a picture: the exact figure stays on the server's side. */
const parseWattHours = (wattMinutes: string) => {
  const [num = '0', den = '1'] = wattMinutes.split('/')
  return Number(num) / Number(den) / 60
}
const DAY_FORMAT = new Intl.DateTimeFormat('fr-FR', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
})

/** The days a line is made of, one bar each. */
export function DraftLineDays({ days, wattMinutes }: { days: LineDay[]; wattMinutes: string }) {
  const byDay = [...Map.groupBy(days, ({ day }) => day)].map(([day, own]) => ({
    day,
    wh: own.reduce((sum, each) => sum + parseWattHours(each.wattMinutes), 0),
  }))
  const most = Math.max(1, ...byDay.map(({ wh }) => wh))
  return (
    <details className="text-[0.8125rem]">
      <summary className="min-h-6 cursor-pointer text-ink-soft hover:text-ink">Ouvrir ses jours</summary>
      <ul className="mt-2 grid gap-1">
        {byDay.map(({ day, wh }) => (
          <li key={day} className="grid grid-cols-[6.5rem_minmax(0,1fr)_6.5rem] items-center gap-3">
            <span>{DAY_FORMAT.format(new Date(`${day}T12:00:00Z`))}</span>
            <span aria-hidden="true" className="h-2 overflow-hidden rounded-full bg-slate-100">
              <span className="block h-full rounded-full bg-local" style={{ width: `${(wh / most) * 100}%` }} />
            </span>
            <span className="tabular text-right">{formatNumber(wh / 1000, 3)}&nbsp;kWh</span>
          </li>
        ))}
      </ul>
      <p className="mt-2 text-ink-soft">
        {wattMinutes.includes('/')
          ? 'Ensemble, ces jours font exactement l’énergie de la ligne, avant son seul arrondi.'
          : `Ensemble, ces jours font exactement ${formatNumber(Number(wattMinutes))} watt-minutes, avant le seul arrondi de la ligne.`}
      </p>
    </details>
  )
}
