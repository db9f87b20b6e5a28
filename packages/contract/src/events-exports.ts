import { z } from 'zod'
import { defineEvent, defineOpenEvent } from './event.ts'
import { Id } from './primitives.ts'

const exportEnded = z.object({
  exportId: Id,
  userId: Id,
  dataSet: z.string(),
  format: z.string(),
  name: z.string(),
  rows: z.int(),
  bytes: z.int(),
  failure: z.string(),
})
const sample = {
  exportId: '2b7e1d60-93a4-4f1c-8d52-6c0e9b3f7a18',
  userId: '5d0c8f3e-17b2-4e69-a4d8-90e2c6b1f735',
  dataSet: 'readings',
  format: 'parquet',
  name: 'readings-2026-01-01-2026-02-01.parquet',
  rows: 142_848,
  bytes: 301_554,
  failure: '',
}
const plannedExport = z.object({ planId: Id, connectionId: Id, dataSet: z.string(), name: z.string() })
const plan = {
  planId: '9f4a2c71-5e08-4b3d-b6a9-1d7f0e82c354',
  connectionId: '7c1e4b92-0d5f-4a36-9b8e-2f6d3a5c8e10',
  dataSet: 'invoices',
  name: 'Factures du mois',
}

/** Data exports. */
export const exportEvents = {
  'export.completed': defineOpenEvent({ label: 'Export prêt', data: exportEnded, sample }),
  'export.failed': defineEvent({
    label: 'Export en échec',
    data: exportEnded,
    sample: { ...sample, failure: 'Trop de lignes.' },
  }),
  'export.planned': defineEvent({ label: 'Export régulier prévu', data: plannedExport, sample: plan }),
  'export.unplanned': defineEvent({ label: 'Export régulier arrêté', data: plannedExport, sample: plan }),
}
