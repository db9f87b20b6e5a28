import { type CurveFileChoices, FileRefusedError, type ParsedFile } from '@voisol/file-formats/curve-file-types'
import { formatCount } from '@voisol/file-formats/french'
import { listUncertainAspects } from '@voisol/file-formats/import-questions'
import { and, eq, sql } from 'drizzle-orm'
import { type Db, transaction } from '../../../db/client.ts'
import { curveImports } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { recordEvent } from '../../../events/events.ts'
import { AppError } from '../../../http/errors.ts'
import { authorizeJob } from '../../../http/job-actor.ts'
import type { ImportRow } from './import-queries.ts'
import { buildImportQuestions } from './import-questions.ts'
import { isPreviewStillValid, keepReviewedPoints } from './preview-import.ts'
import {
  findImport,
  type ImportJobRef,
  parseImport,
  toDetectedFormat,
  updateImportProgress,
} from './read-import-file.ts'
import { enqueueRefreshOfMonths, type ReceivedSummary } from './record-received-curves.ts'
import { type FileReview, reviewCurveFile, type SeriesView } from './review-curve-file.ts'
import { storeReadings } from './store-readings.ts'

/** Stores a file and the import's new state in one transaction: an interruption leaves all or nothing. */
export async function storeImport(
  deps: Deps,
  { userId, keyId, ...job }: ImportJobRef & { userId?: string | undefined; keyId?: string | undefined },
): Promise<void> {
  const row = await findImport(deps.db, job)
  if (row?.status !== 'storing') return
  try {
    const requester = { companyId: job.companyId, userId: userId ?? row.createdBy, keyId }
    await authorizeJob(deps.db, requester, { permission: 'curves.import' })
    const parsed = await parseImport(deps, row)
    await updateImportProgress(deps.db, job, 20)
    await transaction(deps.db, async (tx) => {
      // Makes two workers on one import run one after the other; the row itself is not locked, so progress can be
      // written.
      await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`curve import ${row.id}`}, 0))`)
      if ((await findImport(tx, job))?.status !== 'storing') return
      const review = await reviewCurveFile(tx, job.companyId, parsed, row.choices as CurveFileChoices) // what the contract let in
      const isUnchanged =
        isAsReviewed(row, parsed, review) && (await isPreviewStillValid(deps, tx, requester, row, review))
      if (isUnchanged) await storeImportedReadings(tx, deps, row, keepReviewedPoints(row, review))
      else await returnToReview(tx, row, parsed, review)
    })
  } catch (error) {
    if (!isRefusal(error)) throw error
    await finishImport(deps.db, row, { status: 'refused', message: error.message })
  }
}

const isRefusal = (error: unknown): error is Error =>
  error instanceof FileRefusedError || (error instanceof AppError && error.code === 'forbidden')

/** Whether nothing is guessed, and no measured value is replaced without the person's consent. */
function isAsReviewed({ series, overwrite }: ImportRow, { detected }: ParsedFile, review: FileReview): boolean {
  if (listUncertainAspects(detected).length > 0) return false
  const overwrittenDaysByPoint = new Map((series as SeriesView[]).map((one) => [one.pointId, one.overwrittenDays])) // what the reading wrote
  return review.series.every(
    ({ pointId, overwrittenDays }) =>
      overwrittenDays === 0 || (overwrite && overwrittenDays <= (overwrittenDaysByPoint.get(pointId) ?? 0)),
  )
}

/** Data stored meanwhile changes what the person confirmed: the import waits for another review. */
async function returnToReview(tx: Db, row: ImportRow, parsed: ParsedFile, review: FileReview): Promise<void> {
  const { series, problems, counts } = review
  const questions = await buildImportQuestions(tx, row.companyId, parsed, series)
  const message = 'Les relevés enregistrés ont changé depuis cet aperçu. Vérifiez-le, puis enregistrez à nouveau.'
  const reviewValues = {
    detected: toDetectedFormat(parsed),
    asked: questions,
    series,
    problems,
    counts,
    message,
    overwrite: false,
  }
  await tx
    .update(curveImports)
    .set({ ...reviewValues, status: 'ready', progress: 100 })
    .where(and(eq(curveImports.companyId, row.companyId), eq(curveImports.id, row.id)))
}

async function storeImportedReadings(
  tx: Db,
  deps: Deps,
  row: ImportRow,
  { rows, series, problems, counts }: FileReview,
): Promise<void> {
  const { companyId, id: importId } = row
  const job = { companyId, importId }
  const progress = (done: number, all: number) =>
    updateImportProgress(deps.aside, job, 30 + Math.floor((done / all) * 65))
  const receivedAt = new Date()
  const stored = await storeReadings(tx, companyId, rows, { source: 'import', importId, receivedAt, progress })
  const operations = await enqueueRefreshOfMonths(tx, companyId, stored.touched, importId)
  await finishImport(tx, row, { status: 'done', message: describeStored(stored), series, problems, counts })
  const { touched: _, ...facts } = stored
  const data = { importId, operations, ...facts }
  const by = { job: 'curves.store', secrets: deps.secrets }
  await recordEvent(tx, { companyId, name: 'curves.imported', object: importId, data, by })
}

async function finishImport(db: Db, { companyId, id }: ImportRow, values: Partial<ImportRow>): Promise<void> {
  await db
    .update(curveImports)
    .set({ progress: 100, finishedAt: new Date(), ...values })
    .where(and(eq(curveImports.companyId, companyId), eq(curveImports.id, id), eq(curveImports.status, 'storing')))
}

function describeStored({ inserted, changed, same }: ReceivedSummary): string {
  if (!inserted && !changed) return 'Rien de nouveau\u00a0: ces relevés étaient déjà enregistrés.'
  const parts = [
    inserted && formatCount(inserted, 'journée ajoutée', 'journées ajoutées'),
    changed && formatCount(changed, 'journée corrigée ou complétée', 'journées corrigées ou complétées'),
    same && formatCount(same, 'journée déjà connue', 'journées déjà connues'),
  ]
  return `${parts.filter(Boolean).join(', ')}.`
}
