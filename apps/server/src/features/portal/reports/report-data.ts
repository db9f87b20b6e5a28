import type { EnergySeries, EnergySummary, Granularity } from '@voisol/contract/energy'
import { getBlockSource, type ReportBlock, type ReportSpan } from '@voisol/contract/report-blocks'
import { formatCount, formatPercent } from '@voisol/file-formats/french'
import type { Db } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { getToday } from '../../../today.ts'
import { loadAssembly } from '../../analytics/assembly/index.ts'
import { listProducerRows, loadEnergySeries, loadEnergySummary, loadMemberRows } from '../../analytics/energy/index.ts'
import { loadAnnualSummary } from '../../billing/invoices/index.ts'
import { loadStatementYear } from '../../payments/statements/index.ts'
import type { ReportSubjectRef } from './subject-and-period.ts'

type ReportDays = { from: string; to: string }

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

async function listEnergyGaps({ energy, days }: ReportData): Promise<string[]> {
  const summary = await energy()
  if (!summary) return ['Aucun relevé n’est connu sur cette période.']
  const { steps, current, suspended, stale, definitive } = summary
  const notes: string[] = []
  if (steps.received < steps.expected)
    notes.push(
      `${formatPercent(steps.received / steps.expected)} des relevés attendus sont arrivés\u00a0: ce qui manque n’est pas compté.`,
    )
  if (steps.estimated > 0)
    notes.push(
      `${formatCount(steps.estimated, 'relevé est estimé', 'relevés sont estimés')}, par le distributeur ou ici.`,
    )
  if (current.pendingConsumed + current.pendingProduced > 0)
    notes.push('Une partie de la période n’est pas encore répartie\u00a0: ces chiffres peuvent encore monter.')
  if (suspended.length > 0)
    notes.push(
      `${formatCount(suspended.length, 'compteur n’a pas pris', 'compteurs n’ont pas pris')} part au partage, tout ou partie de la période, faute de relevés.`,
    )
  if (stale) notes.push('Des relevés ont changé depuis la dernière répartition\u00a0: elle est à refaire.')
  if (!definitive && days.to <= getToday()) notes.push('La répartition de la période n’est pas encore définitive.')
  return notes
}

/** The reasons why the figures of the blocks may be incomplete. */
export async function listDataGaps(reportData: ReportData, blocks: ReportBlock[]): Promise<string[]> {
  const rights = new Set(blocks.map((block) => getBlockSource(block)?.right))
  const notes: string[] = []
  if (reportData.days.to > getToday()) notes.push('La période n’est pas finie\u00a0: ces chiffres sont ceux du jour.')
  if (rights.has('energy.read')) notes.push(...(await listEnergyGaps(reportData)))
  if (rights.has('invoices.read') && reportData.subject.kind === 'operation')
    notes.push(...(await reportData.assembly()).notes)
  if (
    rights.has('invoices.read') &&
    reportData.subject.kind === 'participant' &&
    !(await reportData.annual())?.months.length
  )
    notes.push('Aucune facture n’a été émise pour cette année.')
  if (rights.has('parties.read') && !(await reportData.sold())) notes.push('Aucune vente n’a été facturée cette année.')
  // Two reasons may give the same sentence for the same days.
  return [...new Set(notes)]
}
