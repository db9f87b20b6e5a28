import { DATA_SETS, FEED_RIGHTS } from '@voisol/contract/feed'
import { DATA_SET_LABELS } from '../../../adapters/connections/feed.ts'
import { draft } from './draft.ts'
import { FEED_TYPES, feedPieces } from './feed-formats.ts'
import { FEED_SETS } from './feed-sets.ts'
import { monthBefore } from './ship-books.ts'
import type { Shipment } from './shipments.ts'

/** The same sets as the feed, as files. */
export const dataSetShipments: Shipment[] = DATA_SETS.map((id) => {
  const set = FEED_SETS[id]
  return {
    id: `data-${id}`,
    label: `${DATA_SET_LABELS[id]} (Parquet)`,
    about: set.byMonth ? 'Ceux du mois passé.' : 'Tels qu’ils sont aujourd’hui.',
    permission: FEED_RIGHTS[id],
    async *pack({ deps, actor, folder, today }) {
      const month = monthBefore(today)
      const rows = set.rows({ db: deps.db, actor, month })
      const name = set.byMonth ? `${id}-${month}.parquet` : `${id}.parquet`
      yield { parcel: await draft(folder, name, FEED_TYPES.parquet, feedPieces(set, rows, 'parquet')) }
    },
  }
})
