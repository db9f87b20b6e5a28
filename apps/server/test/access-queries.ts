import { ANALYTICS_QUERIES } from './access-analytics.ts'
import { BOOK_QUERIES } from './access-bodies-books.ts'
import { REPORT_QUERIES } from './access-bodies-reports.ts'
import { BRAND_QUERIES } from './access-brand.ts'
import { FEED_QUERIES } from './access-exports.ts'
import { JOINING_QUERIES } from './access-joining.ts'
import { SUPPORT_QUERIES } from './access-support.ts'
import { NOBODY } from './nobody.ts'

const WEEK = { from: '2026-09-01', to: '2026-09-08' }

/** The queries that calls cannot do without, by method and path. */
export const QUERIES: Record<string, Record<string, string>> = {
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
  // A convention is the distributor's: whose credential reads it is what may be foreign.
  'GET /api/enedis/agreements/:acc': { credentialId: NOBODY },
  'GET /api/enedis/agreements/:acc/series': { ...WEEK, type: 'cons', credentialId: NOBODY },
  'GET /api/enedis/agreements/:acc/quantities': {
    ...WEEK,
    prm: '19000000000001',
    direction: 'consumption',
    credentialId: NOBODY,
  },
  'GET /api/participants/:id/why': { operationId: NOBODY, month: '2025-03-01' },
  'GET /api/forecasts': { operationId: NOBODY },
  'GET /api/forecasts/accuracy': { operationId: NOBODY },
  'GET /api/forecasts/export': { operationId: NOBODY },
  'GET /api/points/:id/curve': { from: '2026-03-10', to: '2026-03-11' },
  'GET /api/acc-operations/:id/comparison': { from: '2025-01-01', to: '2025-02-01' },
  'PUT /api/billing-mandates/:id/file': { name: 'mandat.pdf' },
  'GET /api/billing/months/:operationId/:month/document': { seller: NOBODY, buyer: NOBODY },
  'GET /api/statements': { month: '2026-05' },
  'GET /api/takeovers/documents': { operationId: NOBODY },
  'POST /api/takeovers/documents': { operationId: NOBODY, sellerId: NOBODY, on: '2026-01-12' },
  'GET /api/takeovers/readings': { operationId: NOBODY },
  'GET /api/takeovers/shadow': { operationId: NOBODY, month: '2026-05' },
  'GET /api/buyers/:id/charges': WEEK,
  'GET /api/buyers/:id/charges/file': WEEK,
  'GET /api/acc-operations/:id/assembly': WEEK,
  'GET /api/acc-operations/:id/assembly/file': WEEK,
  'GET /api/regulatory': { operationId: NOBODY },
  'GET /api/regulatory/duties': { year: '2026' },
  'GET /api/acc-operations/:id/price-matrix': { day: '2025-01-01' },
  'POST /api/keys/:id/coefficients': { name: 'a.csv', dryRun: 'false' },
  'POST /api/bank-accounts/:id/look': { name: 'a.csv' },
  'POST /api/bank-accounts/:id/statements': { name: 'a.csv' },
  'GET /api/mandates/text': { creditorId: NOBODY, participantId: NOBODY },
  'POST /api/mandates/import': { name: 'a.csv', creditorId: NOBODY },
  'PUT /api/mandates/:id/file': { name: 'mandat.pdf' },
  'GET /api/debit-runs/plan': { accountId: NOBODY },
  'POST /api/effects/file': { kind: 'enrol', id: NOBODY, name: 'a.csv' },
}
