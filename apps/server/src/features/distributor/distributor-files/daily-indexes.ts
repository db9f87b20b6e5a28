import { NBSP, quoteText } from '../../../french.ts'
import type { FileDataSink, ParsedIndex } from './found.ts'
import { QuarantineError } from './refusal.ts'
import {
  findUnitScale,
  forEachElement,
  getChildText,
  listChildren,
  parsePrm,
  parseStampDay,
  parseWh,
  type XmlElement,
} from './tree.ts'

const CLASS_GRIDS = [
  ['Classe_Temporelle_Distributeur', 'Id_Calendrier_Distributeur'],
  ['Classe_Temporelle', 'Id_Calendrier_Fournisseur'],
] as const

/**
 * R151: daily indexes of points up to 36 kVA. The date is the day that the reading closes, and the next day opens with
 * it.
 */
export async function readR151(text: string, sink: FileDataSink): Promise<void> {
  const indexes: ParsedIndex[] = []
  let scale: number | undefined
  let unit = ''
  forEachElement(text, ['En_Tete_Flux', 'PRM'], (element) => {
    if (element.name === 'En_Tete_Flux') {
      unit = getChildText(element, 'Unite_Mesure_Index')
      scale = findUnitScale(unit)
      return
    }
    if (!scale)
      throw new QuarantineError(
        'content',
        `L’unité des index de ce R151 est ${quoteText(unit)}. Attendu${NBSP}: Wh ou kWh.`,
      )
    const prm = parsePrm(element, 'Id_PRM')
    for (const reading of listChildren(element, 'Donnees_Releve'))
      indexes.push(...parseDailyIndexes(reading, prm, scale))
  })
  await sink.indexes(indexes)
}

function parseDailyIndexes(reading: XmlElement, prm: string, scale: number): ParsedIndex[] {
  const day = parseStampDay(getChildText(reading, 'Date_Releve'), prm, 1)
  return CLASS_GRIDS.flatMap(([name, calendar]) =>
    listChildren(reading, name).map((dial) => ({
      prm,
      direction: 'consumption' as const,
      day,
      source: 'R151',
      calendar: getChildText(reading, calendar),
      name: getChildText(dial, 'Id_Classe_Temporelle'),
      wh: parseWh(getChildText(dial, 'Valeur'), scale, prm),
    })),
  )
}

/**
 * R171: daily indexes of points above 36 kVA, read in the night that opens the day; reactive energy and durations are
 * ignored.
 */
export async function readR171(text: string, sink: FileDataSink): Promise<void> {
  const indexes: ParsedIndex[] = []
  forEachElement(text, ['serieMesuresDatees'], (series) => {
    const scale = findUnitScale(getChildText(series, 'unite'))
    if (getChildText(series, 'type') !== 'INDEX' || getChildText(series, 'grandeurPhysique') !== 'EA' || !scale) return
    const prm = parsePrm(series, 'prmId')
    const about = {
      prm,
      source: 'R171',
      direction: getChildText(series, 'grandeurMetier') === 'PROD' ? ('production' as const) : ('consumption' as const),
      calendar: getChildText(series, 'typeCalendrier'),
      name: getChildText(series, 'codeClasseTemporelle'),
    }
    for (const list of listChildren(series, 'mesuresDateesListe'))
      for (const measure of listChildren(list, 'mesureDatee'))
        indexes.push({
          ...about,
          day: parseStampDay(getChildText(measure, 'dateFin'), prm),
          wh: parseWh(getChildText(measure, 'valeur'), scale, prm),
        })
  })
  if (indexes.length === 0) throw new QuarantineError('content', 'Ce R171 ne contient aucun index d’énergie active.')
  await sink.indexes(indexes)
}
