import { DATA_SET_IDS, DATA_SETS, type DataSet } from '@voisol/contract/data-sets'
import { entrySource, invoiceLineSource, invoiceSource, paymentSource } from './billing-data-sets.ts'
import type { DataSetSource } from './data-set.ts'
import { energySource, readingSource, shareDaySource, shareSource } from './energy-data-sets.ts'
import { forecastSource } from './forecast-data-set.ts'
import { auditSource, eventSource, operationSource, participantSource, pointSource } from './people-data-sets.ts'

/** The reader of each data set, used by exports, the BI feed and scheduled shipments. */
export const DATA_SET_SOURCES: Record<DataSet, DataSetSource> = {
  operations: operationSource,
  participants: participantSource,
  points: pointSource,
  readings: readingSource,
  allocations: shareSource,
  'allocation-days': shareDaySource,
  energies: energySource,
  forecasts: forecastSource,
  invoices: invoiceSource,
  'invoice-lines': invoiceLineSource,
  payments: paymentSource,
  entries: entrySource,
  audit: auditSource,
  events: eventSource,
}

/** The data dictionary for the programs that read the feed. */
export const buildFeedDictionary = () =>
  DATA_SET_IDS.map((id) => {
    const { label, period } = DATA_SETS[id]
    return { id, label, path: `/api/feed/${id}`, byMonth: period, columns: DATA_SET_SOURCES[id].columns }
  })
