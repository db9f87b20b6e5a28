import { and, eq } from 'drizzle-orm'
import type { FileStore } from '../../../adapters/files/files.ts'
import { loadBrand } from '../../../core/brand.ts'
import { getFileKey, storeFile } from '../../../core/kept-files.ts'
import type { Db } from '../../../db/client.ts'
import { files } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../http/errors.ts'
import type { ApplicationRow } from './life-cycle.ts'
import type { SignedDocument } from './paper-task.ts'

type DocumentDeps = Pick<Deps, 'compute' | 'files'> & { db: Db; signal?: AbortSignal | undefined }

/** Stores the signed text and its proof as a PDF that both parties can download. */
export async function storeSignedDocument(
  { db, compute, files: store, signal }: DocumentDeps,
  companyId: number,
  { name, ...paper }: Omit<SignedDocument, 'brand'> & { name: string },
) {
  const drawn = await compute(
    'joining.paper',
    { ...paper, brand: await loadBrand(db, companyId) },
    { companyId, signal },
  )
  return storeFile(db, store, companyId, { name, mediaType: 'application/pdf', content: drawn })
}

/** The caller has checked access to the application. */
export async function loadSignedDocumentFile(db: Db, store: FileStore, { companyId, fileId }: ApplicationRow) {
  if (!fileId) throw new AppError('not-found')
  const [file] = await db
    .select()
    .from(files)
    .where(and(eq(files.companyId, companyId), eq(files.id, fileId)))
  const content = file && (await store.get(getFileKey(file)))
  if (!file || !content) throw new Error(`file store: the paper of application ${fileId} is recorded but not there`)
  return { name: file.name, type: file.mediaType, content }
}
