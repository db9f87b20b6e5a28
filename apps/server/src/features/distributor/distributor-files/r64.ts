import { directionOf } from '../../../formats/codes.ts'
import { type Dated, type Published, quantitiesOf } from '../../../formats/publication.ts'
import type { FoundIndex, Sink } from './found.ts'
import { Quarantined } from './refusal.ts'
import { dayOfStamp, scaleOf, whOf } from './tree.ts'

/** Indexes at the start of the day of their label. */
export async function readR64(body: unknown, sink: Sink): Promise<void> {
  const indexes = quantitiesOf(body).flatMap(indexesOf)
  if (indexes.length === 0) throw new Quarantined('content', 'Ce R64 ne contient aucun index d’énergie active.')
  await sink.indexes(indexes)
}

function indexesOf({ prm, quantity }: Published): FoundIndex[] {
  const scale = scaleOf(quantity.unite)
  if (!scale || quantity.grandeurPhysique !== 'EA') return []
  const direction = directionOf(quantity.grandeurMetier) ?? 'consumption'
  const rows = (calendar: string, name: string, values: Dated[]) =>
    values.flatMap(({ d, v }) =>
      v == null || v === ''
        ? []
        : [{ prm, direction, day: dayOfStamp(d, prm), calendar, name, wh: whOf(v, scale, prm), source: 'R64' }],
    )
  return [
    ...quantity.calendrier.flatMap(({ idCalendrier, classeTemporelle }) =>
      classeTemporelle.flatMap(({ idClasseTemporelle, valeur }) => rows(idCalendrier, idClasseTemporelle, valeur)),
    ),
    ...rows('', 'TOTAL', quantity.cadranTotalisateur?.valeur ?? []),
  ]
}
