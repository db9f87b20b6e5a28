import { createHash } from 'node:crypto'
import type { RegulatoryKind } from '@voisol/contract/regulatory'
import { and, desc, eq, sql } from 'drizzle-orm'
import { brandOf } from '../../../core/brand.ts'
import { record } from '../../../core/events.ts'
import { keepFile } from '../../../core/kept-files.ts'
import { findOperation } from '../../../core/operation.ts'
import type { Db } from '../../../db/client.ts'
import { regulatoryExports } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { writeCsv } from '../../../files/csv.ts'
import { zipOf } from '../../../files/zip.ts'
import { type Actor, nameOfActor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { today } from '../../../today.ts'
import { consumersAnnex, producersAnnex } from './annexes.ts'
import { coefficientFiles } from './coefficients.ts'
import { consentsPack } from './consents-pack.ts'
import type { Asked, Content, Maker } from './content.ts'
import { movementsNotice } from './movements.ts'
import { sheetOf } from './paper.ts'
import { requirePeriodOf } from './period.ts'
import { yearlyReport } from './yearly.ts'

export const MAKERS: Record<RegulatoryKind, Maker> = {
  consumers: consumersAnnex,
  producers: producersAnnex,
  movements: movementsNotice,
  coefficients: coefficientFiles,
  consents: consentsPack,
  yearly: yearlyReport,
}
const NAMES: Record<RegulatoryKind, string> = {
  consumers: 'liste-consommateurs',
  producers: 'liste-producteurs',
  movements: 'avis-mouvements',
  coefficients: 'coefficients',
  consents: 'consentements',
  yearly: 'bilan-annuel',
}

export const contentHash = ({ header, rows, files = [] }: Content) => {
  const hash = createHash('sha256').update(JSON.stringify([header, rows]))
  for (const { name, content } of files) hash.update(name).update(content)
  return hash.digest('hex')
}

async function archiveOf(files: NonNullable<Content['files']>, on: string): Promise<Uint8Array> {
  async function* entries() {
    for (const file of files) yield { ...file, on }
  }
  const parts: Uint8Array[] = []
  for await (const part of zipOf(entries())) parts.push(part)
  return Buffer.concat(parts)
}

const versionsOf = ({ kind, operation, period }: Asked, companyId: number) =>
  and(
    eq(regulatoryExports.companyId, companyId),
    eq(regulatoryExports.operationId, operation.id),
    eq(regulatoryExports.kind, kind),
    eq(regulatoryExports.period, period),
  )

/** The last version of what is asked for. */
export const lastOf = async (db: Db, companyId: number, asked: Asked) =>
  (
    await db
      .select()
      .from(regulatoryExports)
      .where(versionsOf(asked, companyId))
      .orderBy(desc(regulatoryExports.number))
      .limit(1)
  )[0]

type Wanted = { operationId: string; kind: RegulatoryKind; period: string }

/** A version of an export; where it would say what the last one says, the last one. */
export async function makeExport(tx: Db, deps: Pick<Deps, 'config' | 'files'>, actor: Actor, wanted: Wanted) {
  requirePeriodOf(wanted.kind, wanted.period)
  const operation = await findOperation(tx, actor, wanted.operationId)
  const asked: Asked = { kind: wanted.kind, operation, period: wanted.period }
  const { companyId } = actor
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`regulatory ${companyId} ${operation.id}`}, 0))`)
  const content = await MAKERS[asked.kind](tx, deps, actor, asked)
  const hash = contentHash(content)
  const last = await lastOf(tx, companyId, asked)
  if (last?.hash === hash) return { id: last.id, already: true, operation }
  const number = (last?.number ?? 0) + 1
  const day = today()
  const name = [NAMES[asked.kind], asked.period, `v${number}`].filter(Boolean).join('-')
  const table = content.files
    ? { name: `${name}.zip`, mediaType: 'application/zip', content: await archiveOf(content.files, day) }
    : { name: `${name}.csv`, mediaType: 'text/csv', content: Buffer.from(writeCsv(content.header, content.rows)) }
  const file = await keepFile(tx, deps.files, companyId, table)
  const paper = await keepFile(tx, deps.files, companyId, {
    name: `${name}.pdf`,
    mediaType: 'application/pdf',
    content: await sheetOf(asked, content, { number, day, brand: await brandOf(tx, companyId) }),
  })
  const [row] = await tx
    .insert(regulatoryExports)
    .values({
      companyId,
      operationId: operation.id,
      kind: asked.kind,
      period: asked.period,
      number,
      rows: content.rows.length,
      hash,
      subjects: content.subjects,
      fileId: file.id,
      paperId: paper.id,
      createdBy: nameOfActor(actor),
    })
    .returning({ id: regulatoryExports.id })
  if (!row) throw new AppError('internal')
  const { kind, period } = asked
  const data = { exportId: row.id, operationId: operation.id, kind, period, number }
  await record(tx, { companyId, name: 'regulatory.issued', object: row.id, data })
  return { id: row.id, already: false, operation }
}
