import { z } from 'zod'
import { defineEvent, defineOpenEvent } from './event.ts'
import { Id } from './primitives.ts'
import { ReportSubject } from './report-blocks.ts'

const REPORT = '3e9b7c52-1f84-4d06-a2b9-8c5d0e7f6a13'
const OPERATION = '5b0c1d1e-7a3f-4c59-9f0a-2d1c8e4b6a71'
const SCHEDULE = '6f2d9a18-7c54-4e03-b8a1-0d5e3c7b9f46'
const data = z.object({ reportId: Id, subject: ReportSubject, subjectId: Id, period: z.string(), number: z.int() })

const schedule = z.object({ scheduleId: Id, subject: ReportSubject, subjectId: Id, readers: z.int() })
const scheduleSample = { scheduleId: SCHEDULE, subject: 'operation' as const, subjectId: OPERATION, readers: 3 }

/** Reports about an operation or one of its members. */
export const reportEvents = {
  'report.issued': defineOpenEvent({
    label: 'Rapport établi',
    data,
    sample: { reportId: REPORT, subject: 'operation' as const, subjectId: OPERATION, period: '2026-05', number: 1 },
  }),
  'report.sent': defineOpenEvent({
    label: 'Rapport envoyé',
    data: schedule.extend({ reportId: Id, period: z.string() }),
    sample: { ...scheduleSample, reportId: REPORT, period: '2026-05' },
  }),
  'report.scheduled': defineEvent({ label: 'Envoi d’un rapport programmé', data: schedule, sample: scheduleSample }),
  'report.unscheduled': defineEvent({
    label: 'Envoi d’un rapport arrêté',
    /** Empty when a person stopped it. */
    data: schedule.extend({ reason: z.string() }),
    sample: { ...scheduleSample, reason: 'Ce modèle de rapport n’existe plus.' },
  }),
}
