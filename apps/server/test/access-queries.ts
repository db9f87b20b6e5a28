import { ANALYTICS_QUERIES, FEED_QUERIES, REPORT_QUERIES } from './access-analytics.ts'
import { BOOK_QUERIES } from './access-money.ts'
import { BRAND_QUERIES, JOINING_QUERIES, SUPPORT_QUERIES } from './access-relationship.ts'
import { UNKNOWN_ID } from './factories.ts'

const WEEK_QUERY = { from: '2026-09-01', to: '2026-09-08' }

/** The query parameters that calls require, by method and path. */
export const REQUIRED_QUERIES: Record<string, Record<string, string>> = {
  'POST /api/backups/import': { name: 'copie.zip' },
  'GET /api/installation/health/history': { metric: 'disk.free' },
  'GET /api/installation/backups/retention': { days: '7', weeks: '4', months: '6' },
  ...ANALYTICS_QUERIES,
  ...BOOK_QUERIES,
  ...BRAND_QUERIES,
  ...FEED_QUERIES,
  ...JOINING_QUERIES,
  ...REPORT_QUERIES,
  ...SUPPORT_QUERIES,
  'GET /api/acc-operations/:id/reconciliation/rows': { month: '2025-01-01' },
  'GET /api/acc-operations/:id/reconciliation/export': { month: '2025-01-01', format: 'csv' },
  // The convention belongs to the distributor: the credential that reads it is the foreign id.
  'GET /api/enedis/agreements/:acc': { credentialId: UNKNOWN_ID },
  'GET /api/enedis/agreements/:acc/series': { ...WEEK_QUERY, type: 'cons', credentialId: UNKNOWN_ID },
  'GET /api/enedis/agreements/:acc/quantities': {
    ...WEEK_QUERY,
    prm: '19000000000001',
    direction: 'consumption',
    credentialId: UNKNOWN_ID,
  },
  'GET /api/participants/:id/why': { operationId: UNKNOWN_ID, month: '2025-03-01' },
  'GET /api/forecasts': { operationId: UNKNOWN_ID },
  'GET /api/forecasts/accuracy': { operationId: UNKNOWN_ID },
  'GET /api/forecasts/export': { operationId: UNKNOWN_ID },
  'GET /api/points/:id/curve': { from: '2026-03-10', to: '2026-03-11' },
  'GET /api/acc-operations/:id/comparison': { from: '2025-01-01', to: '2025-02-01' },
  'PUT /api/billing-mandates/:id/file': { name: 'mandat.pdf' },
  'GET /api/billing/months/:operationId/:month/document': { seller: UNKNOWN_ID, buyer: UNKNOWN_ID },
  'GET /api/statements': { month: '2026-05' },
  'GET /api/takeovers/documents': { operationId: UNKNOWN_ID },
  'POST /api/takeovers/documents': { operationId: UNKNOWN_ID, sellerId: UNKNOWN_ID, on: '2026-01-12' },
  'GET /api/takeovers/readings': { operationId: UNKNOWN_ID },
  'GET /api/takeovers/shadow': { operationId: UNKNOWN_ID, month: '2026-05' },
  'GET /api/buyers/:id/charges': WEEK_QUERY,
  'GET /api/buyers/:id/charges/file': WEEK_QUERY,
  'GET /api/acc-operations/:id/assembly': WEEK_QUERY,
  'GET /api/acc-operations/:id/assembly/file': WEEK_QUERY,
  'GET /api/regulatory': { operationId: UNKNOWN_ID },
  'GET /api/regulatory/duties': { year: '2026' },
  'GET /api/acc-operations/:id/price-matrix': { day: '2025-01-01' },
  'POST /api/keys/:id/coefficients': { name: 'a.csv', dryRun: 'false' },
  'POST /api/bank-accounts/:id/look': { name: 'a.csv' },
  'POST /api/bank-accounts/:id/statements': { name: 'a.csv' },
  'GET /api/mandates/text': { creditorId: UNKNOWN_ID, participantId: UNKNOWN_ID },
  'POST /api/mandates/import': { name: 'a.csv', creditorId: UNKNOWN_ID },
  'PUT /api/mandates/:id/file': { name: 'mandat.pdf' },
  'GET /api/debit-runs/plan': { accountId: UNKNOWN_ID },
  'POST /api/effects/file': { kind: 'enrol', id: UNKNOWN_ID, name: 'a.csv' },
}
