import { shownFor, type Word } from '../../../core/shown.ts'
import { touchedMonths } from '../../../core/touched.ts'
import type { Db, Touched } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import { type Choices, FileRefused } from '../../../formats/types.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { findImport, parseImport } from './import-read.ts'
import type { ImportRow } from './imports.ts'
import { type Review, reviewFile, type SeriesView } from './review.ts'
import { writeReadings } from './store.ts'

/** What somebody agrees to when an import is stored: the file as it is read. */
export const importChange = ({ id, choices }: Pick<ImportRow, 'id' | 'choices'>, overwrite: boolean) => ({
  kind: 'import',
  id,
  choices,
  overwrite,
})

/** The days of the points for which the file says something new. */
export const touchedBy = (series: SeriesView[]): Touched[] =>
  series.flatMap(({ pointId, newDays, changedDays, from, to }) =>
    pointId && newDays + changedDays > 0 ? [{ pointIds: [pointId], from, to }] : [],
  )

/** Only the curves that the person saw attached to a point: one added since then has not been confirmed. */
export function seenOnly({ series }: ImportRow, review: Review): Review {
  const seen = new Set((series as SeriesView[]).map(({ pointId }) => pointId)) // what the reading wrote
  return { ...review, rows: review.rows.filter(({ pointId }) => seen.has(pointId)) }
}

type Asker = { companyId: number; userId: string | null }

/** Whether what the import does to figures is still what its person saw; a program did not ask, nor did older imports. */
export async function isStillShown(deps: Pick<Deps, 'secrets'>, tx: Db, asker: Asker, row: ImportRow, review: Review) {
  const word = row.seen as Word | null // what the confirmation wrote
  if (!word || word.anyway !== undefined) return true
  const months = await touchedMonths(tx, asker.companyId, touchedBy(review.series))
  if (!months.length) return true
  const by = { companyId: asker.companyId, userId: asker.userId ?? '' }
  const change = importChange(row, row.overwrite)
  return word.shown === (await shownFor({ db: tx, secrets: deps.secrets }, by, change, months))
}

/** What storing the import would write: to be tried, and taken back. */
export async function importTrial(deps: Deps, { companyId }: Actor, id: string, overwrite: boolean) {
  const row = await findImport(deps.db, { companyId, importId: id })
  if (!row) throw new AppError('not-found')
  if (row.status !== 'ready')
    throw new AppError('invalid-transition', { message: 'Cet import n’attend pas d’être enregistré.' })
  const parsed = await parseImport(deps, row).catch(refused)
  const review = await reviewFile(deps.db, companyId, parsed, row.choices as Choices) // what the contract let in
  const { rows } = seenOnly(row, review)
  return {
    change: importChange(row, overwrite),
    touched: touchedBy(review.series),
    write: (tx: Db) => writeReadings(tx, companyId, rows, { source: 'import', importId: id, receivedAt: new Date() }),
  }
}

const refused = (error: unknown): never => {
  if (error instanceof FileRefused) throw new AppError('conflict', { message: error.message })
  throw error
}
