import { and, eq, inArray } from 'drizzle-orm'
import { type RecordEventInput, recordEvent } from '../../../core/events.ts'
import type { Db } from '../../../db/client.ts'
import { curveImports, files } from '../../../db/schema/index.ts'
import { AppError } from '../../../http/errors.ts'
import { enqueue } from '../../../jobs/queue.ts'

type WaitForPersonInput = { companyId: number; fileId: string } & Pick<RecordEventInput, 'by'>

/**
 * Turns an automatically received file that needs a person's answers into an import, and notifies people. The same
 * content waits once.
 */
export async function startImportAwaitingAnswers(tx: Db, { companyId, fileId, by }: WaitForPersonInput): Promise<void> {
  const [file] = await tx
    .select()
    .from(files)
    .where(and(eq(files.companyId, companyId), eq(files.id, fileId)))
  if (!file || (await hasOpenImportOfFile(tx, companyId, file.sha256))) return
  // A separate file record: the deposit may be deleted while the import keeps its file.
  const { name, mediaType, size, sha256 } = file
  const [own] = await tx.insert(files).values({ companyId, name, mediaType, size, sha256 }).returning({ id: files.id })
  if (!own) throw new AppError('internal')
  const [row] = await tx
    .insert(curveImports)
    .values({ companyId, fileId: own.id, name, status: 'reading' })
    .returning({ id: curveImports.id })
  if (!row) throw new AppError('internal')
  await enqueue(tx, 'curves.read', { companyId, importId: row.id })
  const data = { importId: row.id }
  await recordEvent(tx, { companyId, name: 'curves.asked', object: row.id, data, ...(by && { by }) })
}

async function hasOpenImportOfFile(tx: Db, companyId: number, sha256: string): Promise<boolean> {
  const [row] = await tx
    .select({ id: curveImports.id })
    .from(curveImports)
    .innerJoin(files, and(eq(files.companyId, curveImports.companyId), eq(files.id, curveImports.fileId)))
    .where(
      and(
        eq(curveImports.companyId, companyId),
        eq(files.sha256, sha256),
        inArray(curveImports.status, ['reading', 'ready', 'storing']),
      ),
    )
    .limit(1)
  return row !== undefined
}
