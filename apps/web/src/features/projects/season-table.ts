import type { Study } from '@voisol/contract/projects'
import { energy } from '../../lib/format.ts'
import type { Column } from '../../ui/table.tsx'
import { SEASONS } from './labels.ts'

type Day = Study['days'][number]

export const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
export const HOURS = Array.from({ length: 24 }, (_, hour) => ({ id: String(hour), hour }))

type Hour = { id: string; hour: number }
export const columnsOf = (days: Day[]): Column<Hour>[] => [
  { header: 'Heure', cell: ({ hour }) => `${hour}\u00a0h` },
  ...days.flatMap((day): Column<Hour>[] => [
    {
      header: `${SEASONS[day.season]}, consommation`,
      align: 'end',
      cell: ({ hour }) => energy(day.consumed[hour] ?? 0),
    },
    { header: `${SEASONS[day.season]}, locale`, align: 'end', cell: ({ hour }) => energy(day.allocated[hour] ?? 0) },
    {
      header: `${SEASONS[day.season]}, surplus`,
      align: 'end',
      cell: ({ hour }) => energy((day.produced[hour] ?? 0) - (day.allocated[hour] ?? 0)),
    },
  ]),
]

/** Summer against winter, in a sentence. */
export function daysSummary(days: Day[]) {
  const of = (season: Day['season']) => days.find((day) => day.season === season)
  const [summer, winter] = [of('summer'), of('winter')]
  if (!summer || !winter) return ''
  const said = (day: Day) => `${energy(sum(day.allocated))} sur ${energy(sum(day.consumed))}`
  return `Un jour d’été, l’énergie locale apporterait ${said(summer)}\u00a0; un jour d’hiver, ${said(winter)}.`
}
