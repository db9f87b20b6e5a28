import { Readable } from 'node:stream'
import type { Declaration, DeclarationKind } from '@voisol/contract/declarations'
import { and, desc, eq, gte, lt, ne, type SQL, sql } from 'drizzle-orm'
import { participantIdsOfUser } from '../../../core/access-scopes.ts'
import { getFileKey, storeFile } from '../../../core/stored-files.ts'
import type { Db } from '../../../db/client.ts'
import { declarations, files, invoices, participants, sellers } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { recordEvents } from '../../../events/events.ts'
import { createZipStream, type ZipEntryInput } from '../../../files/zip.ts'
import { hashBytes } from '../../../hash.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { buildDeclarationFile, type DeclarationFile, type MakeDeclarationInput } from './declaration-files.ts'

const DECLARATION_COLUMNS = {
  row: declarations,
  file: files,
  seller: sellers.name,
  participant: participants.name,
}
const selectDeclarations = (db: Db) =>
  db
    .select(DECLARATION_COLUMNS)
    .from(declarations)
    .innerJoin(files, and(eq(files.companyId, declarations.companyId), eq(files.id, declarations.fileId)))
    .leftJoin(sellers, and(eq(sellers.companyId, declarations.companyId), eq(sellers.id, declarations.sellerId)))
    .leftJoin(
      participants,
      and(eq(participants.companyId, declarations.companyId), eq(participants.id, declarations.participantId)),
    )
type DeclarationRow = Awaited<ReturnType<typeof selectDeclarations>>[number]

const toDeclaration = ({ row, file, seller, participant }: DeclarationRow): Declaration => ({
  id: row.id,
  // The column only stores these values.
  kind: row.kind as DeclarationKind,
  whose: participant ?? seller ?? '',
  from: row.from,
  to: row.to,
  number: row.number,
  file: file.name,
  sha256: row.sha256,
  by: row.createdBy,
  at: row.createdAt.toISOString(),
})

type DeclarationFilter = { year?: number | undefined; kind?: DeclarationKind | undefined }
const MAX_LISTED_DECLARATIONS = 500
export async function listDeclarations(
  db: Db,
  actor: Actor,
  { year, kind }: DeclarationFilter,
): Promise<Declaration[]> {
  const rows = await selectDeclarations(db)
    .where(
      and(
        declarationScope(actor),
        kind && eq(declarations.kind, kind),
        year ? and(gte(declarations.to, `${year}-01-02`), lt(declarations.from, `${year + 1}-01-01`)) : undefined,
      ),
    )
    .orderBy(desc(declarations.createdAt), desc(declarations.number))
    .limit(MAX_LISTED_DECLARATIONS)
  return rows.map(toDeclaration)
}

export async function loadDeclarationFile(deps: Deps, db: Db, actor: Actor, id: string) {
  const [found] = await selectDeclarations(db).where(and(declarationScope(actor), eq(declarations.id, id)))
  const content = found && (await deps.files.get(getFileKey(found.file)))
  if (!found || !content) throw new AppError('not-found')
  return { name: found.file.name, type: found.file.mediaType, content }
}

const isParticipantYear = ({ kind }: MakeDeclarationInput) => kind === 'participantYear'
const sameDeclarationSql = (companyId: number, order: MakeDeclarationInput, { span }: DeclarationFile) =>
  and(
    eq(declarations.companyId, companyId),
    eq(declarations.kind, order.kind),
    eq(isParticipantYear(order) ? declarations.participantId : declarations.sellerId, order.of),
    eq(declarations.from, span.from),
    eq(declarations.to, span.to),
  )

const recordDeclarationsIssued = (tx: Db, companyId: number, made: DeclarationRow['row'][]) =>
  recordEvents(
    tx,
    companyId,
    'declaration.issued',
    made.map(({ id, kind, sellerId, participantId, from, to, number }) => ({
      object: id,
      data: { declarationId: id, kind, sellerId, participantId, from, to, number },
    })),
  )

/** Creates a declaration and stores it as its next version; identical content keeps the last version. */
export async function makeDeclaration(tx: Db, deps: Pick<Deps, 'files'>, actor: Actor, order: MakeDeclarationInput) {
  const { found, already } = await storeDeclaration(tx, deps, actor, order)
  if (!already) await recordDeclarationsIssued(tx, actor.companyId, [found.row])
  return { item: toDeclaration(found), already }
}

async function storeDeclaration(tx: Db, deps: Pick<Deps, 'files'>, actor: Actor, order: MakeDeclarationInput) {
  const { companyId } = actor
  const name = `declaration ${companyId} ${order.kind} ${order.of}`
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`)
  const made = await buildDeclarationFile(tx, actor, order)
  const sha256 = await hashBytes(made.content)
  const same = sameDeclarationSql(companyId, order, made)
  const [last] = await selectDeclarations(tx).where(same).orderBy(desc(declarations.number)).limit(1)
  if (last?.row.sha256 === sha256 && last.file.name === made.name) return { found: last, already: true }
  const { id: fileId } = await storeFile(tx, deps.files, companyId, made)
  const whose = isParticipantYear(order) ? { participantId: order.of } : { sellerId: order.of }
  const values = {
    companyId,
    kind: order.kind,
    ...whose,
    ...made.span,
    fileId,
    sha256,
    createdBy: formatActorName(actor),
  }
  const [row] = await tx
    .insert(declarations)
    .values({ ...values, number: (last?.row.number ?? 0) + 1 })
    .returning({ id: declarations.id })
  const [stored] = await selectDeclarations(tx).where(
    and(eq(declarations.companyId, companyId), eq(declarations.id, row?.id ?? '')),
  )
  if (!stored) throw new AppError('internal')
  return { found: stored, already: false }
}

type YearlyStatementsInput = { year: number; kind: 'participantYear' | 'producerYear' }
const MAX_YEARLY_STATEMENTS = 1_000

/** Participants or sellers with documents in the year. */
async function loadConcernedIds(db: Db, companyId: number, { year, kind }: YearlyStatementsInput): Promise<string[]> {
  const [column, day] =
    kind === 'participantYear' ? [invoices.buyerId, invoices.from] : [invoices.sellerId, invoices.issuedOn]
  const rows = await db
    .selectDistinct({ id: column })
    .from(invoices)
    .where(
      and(
        eq(invoices.companyId, companyId),
        kind === 'producerYear' ? ne(invoices.kind, 'statement') : undefined,
        gte(day, `${year}-01-01`),
        lt(day, `${year + 1}-01-01`),
      ),
    )
  return rows.flatMap(({ id }) => id ?? []).sort()
}

export async function makeYearlyStatements(
  tx: Db,
  deps: Pick<Deps, 'files'>,
  actor: Actor,
  years: YearlyStatementsInput,
) {
  const ids = await loadConcernedIds(tx, actor.companyId, years)
  if (ids.length === 0)
    throw new AppError('conflict', {
      message: `Rien n’a été facturé en ${years.year}\u00a0: il n’y a pas de relevé à préparer.`,
    })
  if (ids.length > MAX_YEARLY_STATEMENTS)
    throw new AppError('conflict', {
      message: `${ids.length.toLocaleString('fr-FR')} relevés sont à préparer, plus que ${MAX_YEARLY_STATEMENTS.toLocaleString('fr-FR')} à la fois\u00a0: préparez-les un par un.`,
    })
  const made: DeclarationRow['row'][] = []
  for (const of of ids) {
    const { found, already } = await storeDeclaration(tx, deps, actor, { ...years, of, format: 'csv' })
    if (!already) made.push(found.row)
  }
  // Records the events at the end: they take a lock that would block other events while the files are made.
  await recordDeclarationsIssued(tx, actor.companyId, made)
  return { made: made.length, already: ids.length - made.length }
}

async function* streamStatementFiles(deps: Deps, found: DeclarationRow[]): AsyncGenerator<ZipEntryInput> {
  for (const { file, row } of found) {
    const content = await deps.files.get(getFileKey(file))
    if (content) yield { name: file.name, content, on: row.createdAt.toISOString().slice(0, 10) }
  }
}

/** The last version of each statement, streamed one after the other. */
export async function buildStatementsArchive(deps: Deps, actor: Actor, { year, kind }: YearlyStatementsInput) {
  const rows = await selectDeclarations(deps.db)
    .where(and(declarationScope(actor), eq(declarations.kind, kind), eq(declarations.from, `${year}-01-01`)))
    .orderBy(desc(declarations.number))
  const last = [...Map.groupBy(rows, ({ row }) => row.participantId ?? row.sellerId).values()].flatMap((own) =>
    own.slice(0, 1),
  )
  if (last.length === 0)
    throw new AppError('conflict', {
      message: `Aucun relevé annuel de ${year} n’est préparé\u00a0: préparez-les d’abord.`,
    })
  const name = `releves-annuels-${year}-${kind === 'participantYear' ? 'participants' : 'producteurs'}.zip`
  return { name, content: Readable.from(createZipStream(streamStatementFiles(deps, last))) }
}

/** The company's declarations; in the portal, one's own yearly statements as a participant or producer. */
const declarationScope = (actor: Actor): SQL | undefined =>
  and(
    eq(declarations.companyId, actor.companyId),
    actor.space === 'office'
      ? undefined
      : sql`${declarations.kind} in ('participantYear', 'producerYear') and (
          ${declarations.participantId} in ${participantIdsOfUser(actor)}
          or ${declarations.sellerId} in (select s.id from sellers s
            where s.company_id = ${actor.companyId} and s.participant_id in ${participantIdsOfUser(actor)}))`,
  )
