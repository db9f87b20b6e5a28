import { DATA_SET_IDS, DATA_SETS, type DataSet } from '@voisol/contract/data-sets'
import type { DataSetSource } from './data-set.ts'
import { entrySource } from './set-books.ts'
import { readingSource, shareSource } from './set-days.ts'
import { energySource, shareDaySource } from './set-energy.ts'
import { forecastSource } from './set-forecasts.ts'
import { auditSource, eventSource } from './set-journals.ts'
import { invoiceLineSource, invoiceSource, paymentSource } from './set-money.ts'
import { operationSource, participantSource, pointSource } from './set-people.ts'

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
