import { DATA_SETS, dataSetIds } from '@voisol/contract/data-sets'
import { FEED_TYPES, pieces } from '../exports/exports.ts'
import { draft } from './draft.ts'
import { monthAfter, monthBefore } from './ship-books.ts'
import type { Shipment } from './shipments.ts'

/** The same sets as the feed, as files. */
export const dataSetShipments: Shipment[] = dataSetIds.map((dataSet) => {
  const { label, period, permission } = DATA_SETS[dataSet]
  return {
    id: `data-${dataSet}`,
    label: `${label} (Parquet)`,
    about: period ? 'Ceux du mois passé.' : 'Tels qu’ils sont aujourd’hui.',
    permission,
    async *pack({ deps, actor, folder, today }) {
      const month = monthBefore(today)
      const days = { from: period ? `${month}-01` : null, to: period ? `${monthAfter(month)}-01` : null }
      const shape = { format: 'parquet' as const, dialect: 'french' as const }
      const order = { dataSet, operationId: null, participantId: null, ...days, ...shape }
      const name = period ? `${dataSet}-${month}.parquet` : `${dataSet}.parquet`
      yield { parcel: await draft(folder, name, FEED_TYPES.parquet, pieces(deps, actor, order)) }
    },
  }
})
