import { and, eq, sql } from 'drizzle-orm'
import { record } from '../../../core/events.ts'
import { type Db, transaction } from '../../../db/client.ts'
import { curveImports } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { openQuestions } from '../../../formats/questions.ts'
import { type Choices, FileRefused, type ParsedFile } from '../../../formats/types.ts'
import { plural } from '../../../french.ts'
import { AppError } from '../../../http/errors.ts'
import { authorizeJob } from '../../../http/job-actor.ts'
import { askOf } from './asked.ts'
import { isStillShown, seenOnly } from './import-effects.ts'
import { describe, findImport, type ImportJob, parseImport, sayProgress } from './import-read.ts'
import type { ImportRow } from './imports.ts'
import type { Received } from './received.ts'
import { askRefresh } from './refresh.ts'
import { type Review, reviewFile, type SeriesView } from './review.ts'
import { writeReadings } from './store.ts'

/** Stores a file all at once, together with the state of its import: cut at any moment, it has happened or it has not. */
export async function storeImport(
  deps: Deps,
  { userId, keyId, ...job }: ImportJob & { userId?: string | undefined; keyId?: string | undefined },
): Promise<void> {
  const row = await findImport(deps.db, job)
  if (row?.status !== 'storing') return
  try {
    const asker = { companyId: job.companyId, userId: userId ?? row.createdBy, keyId }
    await authorizeJob(deps.db, asker, { permission: 'curves.import' })
    const parsed = await parseImport(deps, row)
    await sayProgress(deps.db, job, 20)
    await transaction(deps.db, async (tx) => {
      // Two workers on one import follow each other; the record itself stays free for the progress that is said meanwhile.
      await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`curve import ${row.id}`}, 0))`)
      if ((await findImport(tx, job))?.status !== 'storing') return
      const review = await reviewFile(tx, job.companyId, parsed, row.choices as Choices) // what the contract let in
      const agreed = isAsSeen(row, parsed, review) && (await isStillShown(deps, tx, asker, row, review))
      if (agreed) await store(tx, deps, row, seenOnly(row, review))
      else await lookAgain(tx, row, parsed, review)
    })
  } catch (error) {
    if (!isRefusal(error)) throw error
    await finish(deps.db, row, { status: 'refused', message: error.message })
  }
}

const isRefusal = (error: unknown): error is Error =>
  error instanceof FileRefused || (error instanceof AppError && error.code === 'forbidden')

/** Nothing is a guess, and no measured value is replaced that the person has not agreed to. */
function isAsSeen({ series, overwrite }: ImportRow, { detected }: ParsedFile, review: Review): boolean {
  if (openQuestions(detected).length > 0) return false
  const seen = new Map((series as SeriesView[]).map((one) => [one.pointId, one.overwrittenDays])) // what the reading wrote
  return review.series.every(
    ({ pointId, overwrittenDays }) =>
      overwrittenDays === 0 || (overwrite && overwrittenDays <= (seen.get(pointId) ?? 0)),
  )
}

/** What was stored meanwhile changes what the person agreed to: the import waits for them again. */
async function lookAgain(tx: Db, row: ImportRow, parsed: ParsedFile, review: Review): Promise<void> {
  const { series, problems, counts } = review
  const asked = await askOf(tx, row.companyId, parsed, series)
  const message = 'Les relevés enregistrés ont changé depuis cet aperçu. Vérifiez-le, puis enregistrez à nouveau.'
  const about = { detected: describe(parsed), asked, series, problems, counts, message, overwrite: false }
  await tx
    .update(curveImports)
    .set({ ...about, status: 'ready', progress: 100 })
    .where(and(eq(curveImports.companyId, row.companyId), eq(curveImports.id, row.id)))
}

async function store(tx: Db, deps: Deps, row: ImportRow, { rows, series, problems, counts }: Review): Promise<void> {
  const { companyId, id: importId } = row
  const job = { companyId, importId }
  const progress = (done: number, all: number) => sayProgress(deps.aside, job, 30 + Math.floor((done / all) * 65))
  const receivedAt = new Date()
  const stored = await writeReadings(tx, companyId, rows, { source: 'import', importId, receivedAt, progress })
  const operations = await askRefresh(tx, companyId, stored.touched, importId)
  await finish(tx, row, { status: 'done', message: summary(stored), series, problems, counts })
  const { touched: _, ...facts } = stored
  const data = { importId, operations, ...facts }
  const by = { job: 'curves.store', secrets: deps.secrets }
  await record(tx, { companyId, name: 'curves.imported', object: importId, data, by })
}

async function finish(db: Db, { companyId, id }: ImportRow, values: Partial<ImportRow>): Promise<void> {
  await db
    .update(curveImports)
    .set({ progress: 100, finishedAt: new Date(), ...values })
    .where(and(eq(curveImports.companyId, companyId), eq(curveImports.id, id), eq(curveImports.status, 'storing')))
}

function summary({ inserted, changed, same }: Received): string {
  if (!inserted && !changed) return 'Rien de nouveau\u00a0: ces relevés étaient déjà enregistrés.'
  const parts = [
    inserted && plural(inserted, 'journée ajoutée', 'journées ajoutées'),
    changed && plural(changed, 'journée corrigée ou complétée', 'journées corrigées ou complétées'),
    same && plural(same, 'journée déjà connue', 'journées déjà connues'),
  ]
  return `${parts.filter(Boolean).join(', ')}.`
}
