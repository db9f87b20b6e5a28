import type { Make } from './access-makers.ts'

const MONTH = { month: '2026-05' }
const EXPORT = { dataSet: 'operations', format: 'csv' }
const NOBODY = '00000000-0000-4000-8000-000000000000'

export const EXPORT_BODIES: Record<string, unknown> = {
  'POST /api/exports': EXPORT,
  'POST /api/exports/preview': EXPORT,
  'POST /api/export-plans': { ...EXPORT, name: 'Prise', connectionId: NOBODY, period: 'last-month' },
}

/** Of the feed, which is made of the same sets. */
export const FEED_QUERIES = Object.fromEntries(
  [
    'readings',
    'allocations',
    'allocation-days',
    'energies',
    'invoices',
    'invoice-lines',
    'payments',
    'entries',
    'audit',
    'events',
  ].map((name) => [`GET /api/feed/${name}`, MONTH]),
)

export const exportMakers = (_secret: string): [RegExp, Make][] => []
