import { DEFAULT_CHART_OF_ACCOUNTS, JOURNALS } from '@voisol/money/accounts/chart'
import { UNKNOWN_ID } from './nobody.ts'

const PROFILE_BODY = {
  name: 'Le nôtre',
  profile: {
    columns: [{ field: 'account', header: 'Compte' }],
    separator: ';',
    header: true,
    decimal: ',',
    dates: 'dd/mm/yyyy',
    encoding: 'utf-8',
    extension: 'csv',
  },
}

/** Books and declarations: a valid body for each call, except the tested id. */
export const BOOK_BODIES = {
  'POST /api/declarations': { kind: 'vat', of: UNKNOWN_ID, year: 2026 },
  'POST /api/declarations/years': { kind: 'participantYear', year: 2026 },
  'POST /api/books/profiles': PROFILE_BODY,
  'PATCH /api/book-profiles/:id': { ...PROFILE_BODY, version: 1 },
  'PUT /api/books/:sellerId/settings': {
    chart: DEFAULT_CHART_OF_ACCOUNTS,
    journals: JOURNALS,
    yearStart: 1,
    smallWriteOff: 500,
    version: 0,
  },
  'POST /api/books/:sellerId/locks': { month: '2026-05' },
  'POST /api/books/:sellerId/notes': {
    source: `invoice:${UNKNOWN_ID}`,
    kind: 'question',
    text: 'Pourquoi ce compte ?',
  },
  'POST /api/books/:sellerId/doubts': {
    invoiceId: UNKNOWN_ID,
    lostBp: 5000,
    bookedOn: '2026-06-30',
    reason: 'Sans nouvelles depuis trois mois',
  },
  'POST /api/book-doubts/:id/lift': { bookedOn: '2026-07-31' },
}
export const BOOK_QUERIES = {
  'GET /api/declarations/vat': { sellerId: UNKNOWN_ID, year: '2026' },
  'GET /api/declarations/accise': { sellerId: UNKNOWN_ID, year: '2026' },
  'GET /api/declarations/e-reporting': { sellerId: UNKNOWN_ID, year: '2026' },
  'GET /api/declarations/archive': { year: '2026', kind: 'participantYear' },
  'GET /api/books/:sellerId/months': { year: '2026' },
  'GET /api/books/:sellerId/entries': { month: '2026-05' },
  'GET /api/books/:sellerId/balance': { year: '2026' },
  'GET /api/books/:sellerId/ties': { year: '2026' },
  'GET /api/books/:sellerId/fec': { year: '2026' },
  'GET /api/books/:sellerId/sales': { year: '2026' },
  'GET /api/books/:sellerId/export': { from: '2026-05', to: '2026-06', profile: 'generic' },
  'GET /api/books/:sellerId/notes': { source: `invoice:${UNKNOWN_ID}` },
}
