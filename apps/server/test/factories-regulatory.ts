import type { Db } from '../src/db/client.ts'
import { regulatoryExports } from '../src/db/schema/index.ts'

type RegulatoryExportInput = { companyId: number; operationId: string; fileId: string } & Partial<
  typeof regulatoryExports.$inferInsert
>

/** A stored version of a regulatory export. */
export async function makeRegulatoryExport(db: Db, wanted: RegulatoryExportInput) {
  const [row] = await db
    .insert(regulatoryExports)
    .values({ kind: 'consumers', period: '', number: 1, rows: 3, hash: 'none', createdBy: 'Ada Morel', ...wanted })
    .returning()
  if (!row) throw new Error('no export was made')
  return row
}
