import type { EnergySeries, EnergySummary, Granularity } from '@voisol/contract/energy'
import type { ReportSpan } from '@voisol/contract/report-blocks'
import type { Db } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { loadAnnualSummary } from '../../money/invoices/invoices.ts'
import { loadStatementYear } from '../../money/statements/statements.ts'
import { loadAssembly } from '../../understanding/assembly/assembly.ts'
import {
  listProducerRows,
  loadEnergySeries,
  loadEnergySummary,
  loadMemberRows,
} from '../../understanding/energy/energy.ts'
import type { ReportSubjectRef } from './subject.ts'

export type ReportDays = { from: string; to: string }

/** Loads on first use, and only once. */
function memoizeAsync<T>(read: () => Promise<T>): () => Promise<T> {
  let known: Promise<T> | undefined
  return () => {
    known ??= read()
    return known
  }
}

/** A participant without any invoice has no billing year. */
const nullIfNotFound = <T>(found: Promise<T>): Promise<T | null> =>
  found.catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'not-found') return null
    throw error
  })

/** The data of all blocks, loaded by the same functions as the screens and documents. */
export function createReportData(
  db: Db,
  { config }: Pick<Deps, 'config'>,
  actor: Actor,
  about: { subject: ReportSubjectRef; days: ReportDays; span: ReportSpan },
) {
  const { subject, days } = about
  const { where } = subject
  const year = Number(days.from.slice(0, 4))
  const series = (granularity: Granularity) =>
    memoizeAsync(
      async (): Promise<EnergySeries | null> =>
        where && loadEnergySeries(db, actor, { ...days, ...where, granularity }),
    )
  return {
    ...about,
    /** Null without readings and without allocation: unknown, which is not zero. */
    energy: memoizeAsync(async (): Promise<EnergySummary | null> => {
      const summary = where && (await loadEnergySummary(db, actor, config, { ...days, ...where }))
      return summary && summary.steps.received + summary.steps.allocated > 0 ? summary : null
    }),
    course: series(about.span === 'year' ? 'month' : 'day'),
    hours: series('hour'),
    members: memoizeAsync(() => loadMemberRows(db, actor, { ...days, operationId: subject.id })),
    plants: memoizeAsync(() => listProducerRows(db, actor, { ...days, operationId: subject.id })),
    assembly: memoizeAsync(() => loadAssembly(db, { config }, actor, subject.id, days)),
    annual: memoizeAsync(() => nullIfNotFound(loadAnnualSummary(db, actor, { buyerId: subject.id, year }))),
    sold: memoizeAsync(async () => {
      const found = await loadStatementYear(db, actor, subject.id, year)
      return found.months.some(({ documents }) => documents > 0) ? found : null
    }),
  }
}
export type ReportData = ReturnType<typeof createReportData>
