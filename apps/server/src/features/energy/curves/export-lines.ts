import { localTime, offsetAt } from '@voisol/energy/calendar'
import { MISSING, type Step } from '@voisol/energy/series'
import { formatFrenchClock, formatFrenchDay } from '../../../french.ts'
import type { ReadablePoint } from './scope.ts'

export type CurveCsvDialect = {
  /** The byte order mark that makes spreadsheets read UTF-8. */
  mark: string
  stampTitles: string[]
  unit: string
  stamp(minute: number): string[]
  value(watts: number): string
}
/** Watts of each point over the same steps, MISSING where unknown. */
export type CurveSlice = { startsAt: number; curves: Int32Array[] }

/** For French spreadsheets. The UTC offset distinguishes the repeated hour in autumn. */
export const EXCEL_DIALECT: CurveCsvDialect = {
  mark: '\uFEFF',
  stampTitles: ['Début', 'Heure légale'],
  unit: 'kW',
  stamp: (minute) => {
    const { day, minuteOfDay } = localTime(minute)
    return [`${formatFrenchDay(day)} ${formatFrenchClock(minuteOfDay)}`, offsetAt(minute) === 120 ? 'été' : 'hiver']
  },
  value: (watts) => String(watts / 1000).replace('.', ','),
}

/** For programs, and for importing again: instants with UTC offset, whole watts. */
export const DATA_DIALECT: CurveCsvDialect = {
  mark: '',
  stampTitles: ['Horodate'],
  unit: 'W',
  stamp: (minute) => {
    const offset = offsetAt(minute)
    const wall = new Date((minute + offset) * 60_000).toISOString().slice(0, 19)
    return [`${wall}+0${offset / 60}:00`]
  },
  value: String,
}

const DIRECTION_LABELS = { consumption: 'consommation', production: 'production' } as const

export const buildTitles = ({ points }: { points: ReadablePoint[] }, { stampTitles, unit }: CurveCsvDialect) => [
  ...stampTitles,
  ...points.map(({ prm, direction }) => `${prm} ${DIRECTION_LABELS[direction]} (${unit})`),
]

export function formatLines({ startsAt, curves }: CurveSlice, step: Step, { stamp, value }: CurveCsvDialect): string {
  const lines: string[] = []
  for (let at = 0; at < (curves[0]?.length ?? 0); at++) {
    const cells = stamp(startsAt + at * step)
    for (const watts of curves) {
      const known = watts[at] ?? MISSING
      cells.push(known < 0 ? '' : value(known))
    }
    lines.push(`${cells.join(';')}\r\n`)
  }
  return lines.join('')
}
