import { UNKNOWN_ID } from './nobody.ts'

const SCHEDULE_TIMES = { month: null, day: 3, recipientIds: [UNKNOWN_ID] }
const REPORT_REQUEST = { template: 'operation-month', subjectId: UNKNOWN_ID, period: '2026-03' }

/** Reports: a valid body for each call, except the tested id. */
export const REPORT_BODIES = {
  'POST /api/reports': REPORT_REQUEST,
  'POST /api/reports/templates': { preset: 'operation-month', name: 'Le nôtre' },
  'PUT /api/reports/templates/:id': { name: 'Pris', blocks: [{ kind: 'figure', source: 'produced' }], version: 1 },
  'POST /api/reports/schedules': { template: 'operation-month', subjectId: UNKNOWN_ID, ...SCHEDULE_TIMES },
  'PUT /api/reports/schedules/:id': { ...SCHEDULE_TIMES, active: true, version: 1 },
}
export const REPORT_QUERIES = {
  'GET /api/reports/preview': REPORT_REQUEST,
  'GET /api/reports/subjects': { kind: 'participant' },
}
