import type { Study } from '@voisol/contract/projects'
import { formatEnergy } from '../../lib/format.ts'
import type { Column } from '../../ui/table.tsx'
import { SEASON_LABELS } from './labels.ts'

type Day = Study['days'][number]

export const sumValues = (values: number[]) => values.reduce((total, value) => total + value, 0)
export const HOUR_ROWS = Array.from({ length: 24 }, (_, hour) => ({ id: String(hour), hour }))

type HourRow = { id: string; hour: number }
export const buildSeasonColumns = (days: Day[]): Column<HourRow>[] => [
  { header: 'Heure', cell: ({ hour }) => `${hour}\u00a0h` },
  ...days.flatMap((day): Column<HourRow>[] => [
    {
      header: `${SEASON_LABELS[day.season]}, consommation`,
      align: 'end',
      cell: ({ hour }) => formatEnergy(day.consumed[hour] ?? 0),
    },
    {
      header: `${SEASON_LABELS[day.season]}, locale`,
      align: 'end',
      cell: ({ hour }) => formatEnergy(day.allocated[hour] ?? 0),
    },
    {
      header: `${SEASON_LABELS[day.season]}, surplus`,
      align: 'end',
      cell: ({ hour }) => formatEnergy((day.produced[hour] ?? 0) - (day.allocated[hour] ?? 0)),
    },
  ]),
]

/** Summer against winter, in a sentence. */
export function describeSeasonDays(days: Day[]) {
  const findDay = (season: Day['season']) => days.find((day) => day.season === season)
  const [summer, winter] = [findDay('summer'), findDay('winter')]
  if (!summer || !winter) return ''
  const describeDay = (day: Day) =>
    `${formatEnergy(sumValues(day.allocated))} sur ${formatEnergy(sumValues(day.consumed))}`
  return `Un jour d’été, l’énergie locale apporterait ${describeDay(summer)}\u00a0; un jour d’hiver, ${describeDay(winter)}.`
}
