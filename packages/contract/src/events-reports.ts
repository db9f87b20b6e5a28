import { z } from 'zod'
import { openEvent } from './event.ts'
import { Id } from './primitives.ts'
import { ReportSubject } from './report-blocks.ts'

const REPORT = '3e9b7c52-1f84-4d06-a2b9-8c5d0e7f6a13'
const OPERATION = '5b0c1d1e-7a3f-4c59-9f0a-2d1c8e4b6a71'
const data = z.object({ reportId: Id, subject: ReportSubject, subjectId: Id, period: z.string(), number: z.int() })

/** What is said of an operation or of somebody in it, on paper. */
export const reportEvents = {
  'report.issued': openEvent({
    label: 'Rapport établi',
    data,
    sample: { reportId: REPORT, subject: 'operation' as const, subjectId: OPERATION, period: '2026-05', number: 1 },
  }),
}
