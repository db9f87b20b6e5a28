import { parseDirection } from '../../../formats/codes.ts'
import { type PublishedMeasure, parsePublishedQuantities, type StampedValue } from '../../../formats/publication.ts'
import type { FileDataSink, ParsedIndex } from './found.ts'
import { QuarantineError } from './refusal.ts'
import { findUnitScale, parseStampDay, parseWh } from './tree.ts'

/** R64: indexes at the start of the labelled day. */
export async function readR64(body: unknown, sink: FileDataSink): Promise<void> {
  const indexes = parsePublishedQuantities(body).flatMap(parseR64Indexes)
  if (indexes.length === 0) throw new QuarantineError('content', 'Ce R64 ne contient aucun index d’énergie active.')
  await sink.indexes(indexes)
}

function parseR64Indexes({ prm, quantity }: PublishedMeasure): ParsedIndex[] {
  const scale = findUnitScale(quantity.unite)
  if (!scale || quantity.grandeurPhysique !== 'EA') return []
  const direction = parseDirection(quantity.grandeurMetier) ?? 'consumption'
  const rows = (calendar: string, name: string, values: StampedValue[]) =>
    values.flatMap(({ d, v }) =>
      v == null || v === ''
        ? []
        : [{ prm, direction, day: parseStampDay(d, prm), calendar, name, wh: parseWh(v, scale, prm), source: 'R64' }],
    )
  return [
    ...quantity.calendrier.flatMap(({ idCalendrier, classeTemporelle }) =>
      classeTemporelle.flatMap(({ idClasseTemporelle, valeur }) => rows(idCalendrier, idClasseTemporelle, valeur)),
    ),
    ...rows('', 'TOTAL', quantity.cadranTotalisateur?.valeur ?? []),
  ]
}
