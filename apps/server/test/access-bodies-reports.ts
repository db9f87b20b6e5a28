import { NOBODY } from './nobody.ts'

const RHYTHM = { month: null, day: 3, recipientIds: [NOBODY] }
const ASKED = { template: 'operation-month', subjectId: NOBODY, period: '2026-03' }

/** Reports: everything but the id that makes the call a valid one. */
export const REPORT_BODIES = {
  'POST /api/reports': ASKED,
  'POST /api/reports/templates': { preset: 'operation-month', name: 'Le nôtre' },
  'PUT /api/reports/templates/:id': { name: 'Pris', blocks: [{ kind: 'figure', source: 'produced' }], version: 1 },
  'POST /api/reports/schedules': { template: 'operation-month', subjectId: NOBODY, ...RHYTHM },
  'PUT /api/reports/schedules/:id': { ...RHYTHM, active: true, version: 1 },
}
export const REPORT_QUERIES = {
  'GET /api/reports/preview': ASKED,
  'GET /api/reports/subjects': { kind: 'participant' },
}
