import type { Direction } from '../../../formats/types.ts'
import type { FoundIndex } from './found.ts'
import { allOf, dayOfStamp, type Element, scaleOf, textOf, whOf } from './tree.ts'

/** One dial of a reading: an index, or an energy of a collective class. */
export type Dial = {
  /** The distributor's grid of hours, or the supplier's. */
  grid: 'DISTRIB' | 'FOURN'
  calendar: string
  name: string
  /** 1 index, 2 consumption, 3 to 6 the classes of collective self-consumption. */
  measure: string
  direction: Direction
  wh: number
}

const GRIDS = [
  { grid: 'DISTRIB', element: 'Classe_Temporelle_Distributeur', calendar: 'Id_Calendrier_Distributeur' },
  { grid: 'FOURN', element: 'Classe_Temporelle', calendar: 'Id_Calendrier' },
] as const

/** The dials of an R15 or C15 reading; what is not an energy (reactive, power) is left out. */
export const dialsOf = (reading: Element, prm: string): Dial[] =>
  GRIDS.flatMap(({ grid, element, calendar }) =>
    allOf(reading, element).flatMap((dial) => {
      const scale = scaleOf(textOf(dial, 'Unite_Mesure'))
      if (!scale) return []
      return {
        grid,
        calendar: textOf(reading, calendar),
        name: textOf(dial, 'Id_Classe_Temporelle'),
        measure: textOf(dial, 'Classe_Mesure'),
        direction: textOf(dial, 'Sens_Mesure') === '1' ? 'production' : 'consumption',
        wh: whOf(textOf(dial, 'Valeur'), scale, prm),
      }
    }),
  )

/** The indexes of a reading, labelled with the day that they open; of two of one name the distributor's grid is heard. */
export function indexesOf(reading: Element, dials: Dial[], prm: string, source: string): FoundIndex[] {
  const day = dayOfStamp(textOf(reading, 'Date_Releve'), prm)
  const kept = new Map<string, FoundIndex>()
  for (const { measure, direction, calendar, name, wh } of dials) {
    const key = [direction, calendar, name].join('\u0000')
    if (measure === '1' && !kept.has(key)) kept.set(key, { prm, direction, day, calendar, name, wh, source })
  }
  return [...kept.values()]
}
