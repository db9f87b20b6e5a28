import { DATA_SET_IDS, DATA_SETS } from '@voisol/contract/data-sets'
import { FEED_TYPES, streamDataSetFile } from '../exports/exports.ts'
import { writeOutgoingFile } from './draft.ts'
import { getNextMonth, getPreviousMonth } from './ship-books.ts'
import type { Shipment } from './shipments.ts'

/** The data sets of the BI feed, as files. */
export const dataSetShipments: Shipment[] = DATA_SET_IDS.map((dataSet) => {
  const { label, period, permission } = DATA_SETS[dataSet]
  return {
    id: `data-${dataSet}`,
    label: `${label} (Parquet)`,
    about: period ? 'Ceux du mois passé.' : 'Tels qu’ils sont aujourd’hui.',
    permission,
    async *pack({ deps, actor, folder, today }) {
      const month = getPreviousMonth(today)
      const days = { from: period ? `${month}-01` : null, to: period ? `${getNextMonth(month)}-01` : null }
      const shape = { format: 'parquet' as const, dialect: 'french' as const }
      const order = { dataSet, operationId: null, participantId: null, ...days, ...shape }
      const name = period ? `${dataSet}-${month}.parquet` : `${dataSet}.parquet`
      yield { parcel: await writeOutgoingFile(folder, name, FEED_TYPES.parquet, streamDataSetFile(deps, actor, order)) }
    },
  }
})
