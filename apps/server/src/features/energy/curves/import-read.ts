import { and, eq, inArray, sql } from 'drizzle-orm'
import { keyOf } from '../../../core/kept-files.ts'
import type { Db } from '../../../db/client.ts'
import { curveImports, files } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { type Choices, FileRefused, FORMAT_LABELS, type ParsedFile } from '../../../formats/types.ts'
import { askOf } from './asked.ts'
import type { ImportRow } from './imports.ts'
import { parseInWorker } from './parse-file.ts'
import { reviewFile } from './review.ts'

export type ImportJob = { companyId: number; importId: string }

const one = ({ companyId, importId }: ImportJob) =>
  and(eq(curveImports.companyId, companyId), eq(curveImports.id, importId))

export async function findImport(db: Db, job: ImportJob): Promise<ImportRow | undefined> {
  const [row] = await db.select().from(curveImports).where(one(job))
  return row
}

/** Said outside of any transaction, so that the screen sees it move; what has ended stays as it is. */
export async function sayProgress(db: Db, job: ImportJob, progress: number): Promise<void> {
  await db
    .update(curveImports)
    .set({ progress })
    .where(and(one(job), inArray(curveImports.status, ['reading', 'storing'])))
}

export async function parseImport({ db, files: store, compute }: Deps, row: ImportRow): Promise<ParsedFile> {
  const [file] = await db
    .select()
    .from(files)
    .where(and(eq(files.companyId, row.companyId), eq(files.id, row.fileId)))
  const bytes = file && (await store.get(keyOf(file)))
  if (!bytes) throw new FileRefused('Le contenu de ce fichier n’est plus disponible. Déposez-le à nouveau.')
  const { companyId, name } = row
  return parseInWorker({ compute }, { companyId, name, bytes, choices: row.choices as Choices }) // what the contract let in
}

/** Puts down what was found, unless the person has since chosen otherwise or given the import up. */
async function settle(db: Db, row: ImportRow, values: Partial<ImportRow>): Promise<void> {
  await db
    .update(curveImports)
    .set({ progress: 100, ...values })
    .where(
      and(
        one({ companyId: row.companyId, importId: row.id }),
        eq(curveImports.status, 'reading'),
        sql`${curveImports.choices} = ${JSON.stringify(row.choices)}::jsonb`,
      ),
    )
}

export const describe = ({ detected }: ParsedFile) => ({
  ...detected,
  formatLabel: FORMAT_LABELS[detected.format],
})

export async function readImport(deps: Deps, job: ImportJob): Promise<void> {
  const { db } = deps
  const row = await findImport(db, job)
  if (row?.status !== 'reading') return
  try {
    await sayProgress(db, job, 10)
    const parsed = await parseImport(deps, row)
    await sayProgress(db, job, 60)
    const { series, problems, counts } = await reviewFile(db, job.companyId, parsed, row.choices as Choices) // as above
    const asked = await askOf(db, job.companyId, parsed, series)
    await settle(db, row, { status: 'ready', detected: describe(parsed), asked, series, problems, counts })
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error
    await settle(db, row, { status: 'refused', message: error.message, finishedAt: new Date() })
  }
}
