import type { RegulatoryExport, RegulatoryKind, RegulatoryOffer } from '@voisol/contract/regulatory'
import { and, asc, desc, eq, inArray, type SQL } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { FileStore } from '../../../adapters/files/files.ts'
import { keyOf } from '../../../core/kept-files.ts'
import { findOperation } from '../../../core/operation.ts'
import type { Db } from '../../../db/client.ts'
import { files, regulatoryExports, regulatorySendings } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { contentHash, lastOf, MAKERS } from './make.ts'

const papers = alias(files, 'papers')
const read = (db: Db, where: SQL | undefined) =>
  db
    .select({ made: regulatoryExports, file: files, paper: papers })
    .from(regulatoryExports)
    .innerJoin(files, and(eq(files.companyId, regulatoryExports.companyId), eq(files.id, regulatoryExports.fileId)))
    .leftJoin(papers, and(eq(papers.companyId, regulatoryExports.companyId), eq(papers.id, regulatoryExports.paperId)))
    .where(where)
    .orderBy(desc(regulatoryExports.createdAt), desc(regulatoryExports.number))
type Row = Awaited<ReturnType<typeof read>>[number]
type SendingRow = typeof regulatorySendings.$inferSelect

const toSending = ({ id, sentOn, recipient, channel, note, createdBy }: SendingRow) => ({
  id,
  sentOn,
  to: recipient,
  // The column holds channels of the contract.
  channel: channel as RegulatoryExport['sendings'][number]['channel'],
  note,
  by: createdBy,
})

const toExport = ({ made, file, paper }: Row, sendings: SendingRow[]): RegulatoryExport => ({
  id: made.id,
  // The column holds kinds of the contract.
  kind: made.kind as RegulatoryKind,
  period: made.period,
  number: made.number,
  rows: made.rows,
  file: { name: file.name, size: file.size },
  paper: paper && { name: paper.name, size: paper.size },
  madeBy: made.createdBy,
  madeAt: made.createdAt.toISOString(),
  sendings: sendings.map(toSending),
})

async function withSendings(db: Db, companyId: number, rows: Row[]): Promise<RegulatoryExport[]> {
  const ids = rows.map(({ made }) => made.id)
  const sent = ids.length
    ? await db
        .select()
        .from(regulatorySendings)
        .where(and(eq(regulatorySendings.companyId, companyId), inArray(regulatorySendings.exportId, ids)))
        .orderBy(asc(regulatorySendings.sentOn), asc(regulatorySendings.createdAt))
    : []
  const byExport = Map.groupBy(sent, ({ exportId }) => exportId)
  return rows.map((row) => toExport(row, byExport.get(row.made.id) ?? []))
}

const own = (actor: Actor) => eq(regulatoryExports.companyId, actor.companyId)

async function findRow(db: Db, actor: Actor, id: string): Promise<Row> {
  const [row] = await read(db, and(own(actor), eq(regulatoryExports.id, id)))
  if (!row) throw new AppError('not-found')
  await findOperation(db, actor, row.made.operationId)
  return row
}

export async function getExport(db: Db, actor: Actor, id: string): Promise<RegulatoryExport> {
  const [made] = await withSendings(db, actor.companyId, [await findRow(db, actor, id)])
  if (!made) throw new AppError('not-found')
  return made
}

/** Those that tell of the day are computed to be compared; what needs a period is made when it is asked for. */
const STANDING = ['consumers', 'producers', 'consents'] as const

export async function listExports(db: Db, deps: Pick<Deps, 'config'>, actor: Actor, operationId: string) {
  const operation = await findOperation(db, actor, operationId)
  const rows = await read(db, and(own(actor), eq(regulatoryExports.operationId, operationId)))
  const offers: RegulatoryOffer[] = []
  for (const kind of STANDING) {
    const asked = { kind, operation, period: '' }
    const content = await MAKERS[kind](db, deps, actor, asked)
    const last = await lastOf(db, actor.companyId, asked)
    const changed = last ? last.hash !== contentHash(content) : null
    offers.push({ kind, rows: content.rows.length, changed, missing: content.missing })
  }
  return { items: await withSendings(db, actor.companyId, rows), offers }
}

export async function fileOf(db: Db, store: FileStore, actor: Actor, id: string, part: 'table' | 'paper') {
  const row = await findRow(db, actor, id)
  const file = part === 'paper' ? row.paper : row.file
  if (!file) throw new AppError('not-found')
  const content = await store.get(keyOf(file))
  if (!content) throw new Error(`file store: ${keyOf(file)} is recorded but not there`)
  return { name: file.name, type: file.mediaType, content }
}
