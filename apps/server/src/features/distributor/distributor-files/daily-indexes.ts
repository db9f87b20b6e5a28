import { NBSP, quoted } from '../../../french.ts'
import type { FoundIndex, Sink } from './found.ts'
import { Quarantined } from './refusal.ts'
import { allOf, dayOfStamp, type Element, eachElement, prmOf, scaleOf, textOf, whOf } from './tree.ts'

const GRIDS = [
  ['Classe_Temporelle_Distributeur', 'Id_Calendrier_Distributeur'],
  ['Classe_Temporelle', 'Id_Calendrier_Fournisseur'],
] as const

/** Daily indexes of points up to 36 kVA. Their date is the day that they close: the next one opens with them. */
export async function readR151(text: string, sink: Sink): Promise<void> {
  const indexes: FoundIndex[] = []
  let scale: number | undefined
  let unit = ''
  eachElement(text, ['En_Tete_Flux', 'PRM'], (element) => {
    if (element.name === 'En_Tete_Flux') {
      unit = textOf(element, 'Unite_Mesure_Index')
      scale = scaleOf(unit)
      return
    }
    if (!scale)
      throw new Quarantined('content', `L’unité des index de ce R151 est ${quoted(unit)}. Attendu${NBSP}: Wh ou kWh.`)
    const prm = prmOf(element, 'Id_PRM')
    for (const reading of allOf(element, 'Donnees_Releve')) indexes.push(...indexesOf(reading, prm, scale))
  })
  await sink.indexes(indexes)
}

function indexesOf(reading: Element, prm: string, scale: number): FoundIndex[] {
  const day = dayOfStamp(textOf(reading, 'Date_Releve'), prm, 1)
  return GRIDS.flatMap(([name, calendar]) =>
    allOf(reading, name).map((dial) => ({
      prm,
      direction: 'consumption' as const,
      day,
      source: 'R151',
      calendar: textOf(reading, calendar),
      name: textOf(dial, 'Id_Classe_Temporelle'),
      wh: whOf(textOf(dial, 'Valeur'), scale, prm),
    })),
  )
}

/** Daily indexes of points above 36 kVA, read in the night that opens the day; reactive energy and durations stand beside. */
export async function readR171(text: string, sink: Sink): Promise<void> {
  const indexes: FoundIndex[] = []
  eachElement(text, ['serieMesuresDatees'], (series) => {
    const scale = scaleOf(textOf(series, 'unite'))
    if (textOf(series, 'type') !== 'INDEX' || textOf(series, 'grandeurPhysique') !== 'EA' || !scale) return
    const prm = prmOf(series, 'prmId')
    const about = {
      prm,
      source: 'R171',
      direction: textOf(series, 'grandeurMetier') === 'PROD' ? ('production' as const) : ('consumption' as const),
      calendar: textOf(series, 'typeCalendrier'),
      name: textOf(series, 'codeClasseTemporelle'),
    }
    for (const list of allOf(series, 'mesuresDateesListe'))
      for (const measure of allOf(list, 'mesureDatee'))
        indexes.push({
          ...about,
          day: dayOfStamp(textOf(measure, 'dateFin'), prm),
          wh: whOf(textOf(measure, 'valeur'), scale, prm),
        })
  })
  if (indexes.length === 0) throw new Quarantined('content', 'Ce R171 ne contient aucun index d’énergie active.')
  await sink.indexes(indexes)
}
