import type { Direction } from '../../../formats/types.ts'
import type { ParsedIndex } from './found.ts'
import { findUnitScale, getChildText, listChildren, parseStampDay, parseWh, type XmlElement } from './tree.ts'

/** One register of a reading: an index, or the energy of a collective class. */
export type Dial = {
  /** The distributor's time classes, or the supplier's. */
  grid: 'DISTRIB' | 'FOURN'
  calendar: string
  name: string
  /** 1: index, 2: consumption, 3 to 6: the classes of collective self-consumption. */
  measure: string
  direction: Direction
  wh: number
}

const READING_GRIDS = [
  { grid: 'DISTRIB', element: 'Classe_Temporelle_Distributeur', calendar: 'Id_Calendrier_Distributeur' },
  { grid: 'FOURN', element: 'Classe_Temporelle', calendar: 'Id_Calendrier' },
] as const

/** The registers of an R15 or C15 reading, without those that are not energy (reactive, power). */
export const parseDials = (reading: XmlElement, prm: string): Dial[] =>
  READING_GRIDS.flatMap(({ grid, element, calendar }) =>
    listChildren(reading, element).flatMap((dial) => {
      const scale = findUnitScale(getChildText(dial, 'Unite_Mesure'))
      if (!scale) return []
      return {
        grid,
        calendar: getChildText(reading, calendar),
        name: getChildText(dial, 'Id_Classe_Temporelle'),
        measure: getChildText(dial, 'Classe_Mesure'),
        direction: getChildText(dial, 'Sens_Mesure') === '1' ? 'production' : 'consumption',
        wh: parseWh(getChildText(dial, 'Valeur'), scale, prm),
      }
    }),
  )

/**
 * The indexes of a reading, labelled with the day that they open; for two of one name the distributor's class is used.
 */
export function parseReadingIndexes(reading: XmlElement, dials: Dial[], prm: string, source: string): ParsedIndex[] {
  const day = parseStampDay(getChildText(reading, 'Date_Releve'), prm)
  const kept = new Map<string, ParsedIndex>()
  for (const { measure, direction, calendar, name, wh } of dials) {
    const key = [direction, calendar, name].join('\u0000')
    if (measure === '1' && !kept.has(key)) kept.set(key, { prm, direction, day, calendar, name, wh, source })
  }
  return [...kept.values()]
}
