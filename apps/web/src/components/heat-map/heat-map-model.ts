import { formatNumber, formatPercent } from '../../lib/format.ts'
import { formatFullDay } from '../period/period-labels.ts'

/** `hours[d]` holds the 24 local hours of `days[d]`; null is missing. */
export type HeatData = { days: string[]; hours: (number | null)[][] }
export type HeatCell = { day: number; hour: number }
export type Hue = 'amber' | 'blue'

type Colour = [red: number, green: number, blue: number]
const COLOUR_SCALES: Record<Hue, [Colour, Colour, Colour]> = {
  amber: [
    [254, 246, 228],
    [245, 158, 11],
    [146, 64, 14],
  ],
  blue: [
    [238, 242, 251],
    [103, 132, 201],
    [30, 58, 138],
  ],
}

/** One scale from light to full: 0 is lightest, 1 darkest. */
export function getShade(hue: Hue, ratio: number) {
  const [low, middle, high] = COLOUR_SCALES[hue]
  const at = Math.min(1, Math.max(0, ratio)) * 2
  const [from, to, part] = at < 1 ? [low, middle, at] : [middle, high, at - 1]
  const mixed = from.map((value, index) => Math.round(value + ((to[index] ?? 0) - value) * part))
  return `rgb(${mixed.join(' ')})`
}

const formatHourRange = (hour: number) => `de ${hour}\u00a0h à ${hour + 1}\u00a0h`

export function describeCell({ days, hours }: HeatData, { day, hour }: HeatCell, format: (value: number) => string) {
  const value = hours[day]?.[hour] ?? null
  return `${formatFullDay(days[day] ?? '1970-01-01')}, ${formatHourRange(hour)}\u00a0: ${value === null ? 'donnée manquante' : format(value)}`
}

/** The cell a key leads to; null for any other key. */
export function moveCell({ day, hour }: HeatCell, key: string, count: number): HeatCell | null {
  const moves: Record<string, HeatCell> = {
    ArrowLeft: { day: day - 1, hour },
    ArrowRight: { day: day + 1, hour },
    ArrowUp: { day, hour: hour - 1 },
    ArrowDown: { day, hour: hour + 1 },
    PageUp: { day: day - 7, hour },
    PageDown: { day: day + 7, hour },
    Home: { day: 0, hour },
    End: { day: count - 1, hour },
  }
  const next = moves[key]
  if (!next) return null
  const within = (value: number, last: number) => Math.min(last, Math.max(0, value))
  return { day: within(next.day, count - 1), hour: within(next.hour, 23) }
}

/** The strongest hour on average, the strongest day, and what is missing. */
export function describeHeatMap({ days, hours }: HeatData, format: (value: number) => string) {
  const byHour = Array.from({ length: 24 }, (_, hour) => {
    const known = hours.flatMap((day) => day[hour] ?? [])
    return known.length > 0 ? known.reduce((sum, value) => sum + value, 0) / known.length : Number.NEGATIVE_INFINITY
  })
  const byDay = hours.map((day) => day.reduce<number>((sum, value) => sum + (value ?? 0), 0))
  const missing = hours.reduce((count, day) => count + day.filter((value) => value === null).length, 0)
  const cells = days.length * 24
  if (missing === cells) return 'Aucune donnée n’est encore connue sur cette période.'
  const best = byHour.indexOf(Math.max(...byHour))
  const top = byDay.indexOf(Math.max(...byDay))
  const holes =
    missing > 0 ? ` ${formatNumber(missing)}\u00a0h sans donnée (${formatPercent(missing / cells)}), hachurées.` : ''
  return (
    `En moyenne, l’heure la plus forte va ${formatHourRange(best)} (${format(byHour[best] ?? 0)}). ` +
    `Jour le plus fort\u00a0: ${formatFullDay(days[top] ?? '1970-01-01')} (${format(byDay[top] ?? 0)}).${holes}`
  )
}
