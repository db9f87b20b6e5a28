import type { Onboarding } from '@voisol/contract/onboarding'
import { and, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { lockCompany } from '../../../core/company-state.ts'
import { getFileKey } from '../../../core/stored-files.ts'
import { type Db, setWriteCompany } from '../../../db/client.ts'
import { type Spread, spreadOf } from '../../../db/schema/directory.ts'
import { companies, files, invoices, memberships, sessions, ssoConnections } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { anonymizeAccount, isActiveMembership } from '../../identity/auth/index.ts'

type Company = typeof companies.$inferSelect

const findExample = async (db: Db, companyId: number): Promise<Company | undefined> =>
  (await db.select().from(companies).where(eq(companies.exampleOf, companyId)))[0]

/** Invoices are filled last: until there is one, the example is still being built. */
async function isFilling(db: Db, companyId: number): Promise<boolean> {
  const [one] = await db.select({ id: invoices.id }).from(invoices).where(eq(invoices.companyId, companyId)).limit(1)
  return one === undefined
}

export async function loadExampleInfo(
  db: Db,
  { companyId, userId }: Actor,
): Promise<Pick<Onboarding, 'example' | 'exampleOf'>> {
  const [own] = await db.select().from(companies).where(eq(companies.id, companyId))
  const [home] = own?.exampleOf ? await db.select().from(companies).where(eq(companies.id, own.exampleOf)) : []
  const found = await findExample(db, companyId)
  // A member who was not invited to a colleague's example gets access by starting it.
  const opens = found && (await hasMembership(db, found.id, userId))
  return {
    example: found && opens ? { companyId: found.id, name: found.name, filling: await isFilling(db, found.id) } : null,
    exampleOf: home ? { companyId: home.id, name: home.name } : null,
  }
}

const hasMembership = async (db: Db, companyId: number, userId: string) =>
  (
    await db
      .select({ userId: memberships.userId })
      .from(memberships)
      .where(and(eq(memberships.companyId, companyId), eq(memberships.userId, userId)))
  ).length > 0

/**
 * Creates a separate example company beside the real one, with its own invoice numbers, audit log and members, so that
 * nothing in it can be mistaken for real data. Idempotent.
 */
export async function startExample(tx: Db, actor: Actor): Promise<Company> {
  const { companyId, userId } = actor
  await lockCompany(tx, companyId)
  const [home] = await tx.select().from(companies).where(eq(companies.id, companyId))
  if (home?.exampleOf) throw new AppError('conflict', { message: 'Vous êtes déjà dans l’exemple.' })
  const known = await findExample(tx, companyId)
  const example = known ?? (await createExampleCompany(tx, companyId))
  await tx
    .insert(memberships)
    .values({ companyId: example.id, userId, role: 'admin', acceptedAt: new Date() })
    .onConflictDoNothing()
  if (!known) await enqueue(tx, 'onboarding.fill', { companyId: example.id }, { once: String(example.id) })
  return example
}

async function createExampleCompany(tx: Db, companyId: number): Promise<Company> {
  const [made] = await tx
    .insert(companies)
    .values({ name: 'Exemple\u00a0: Les Tilleuls', legalName: 'Organisation d’exemple', exampleOf: companyId })
    .returning()
  if (!made) throw new AppError('internal')
  return made
}

/** When the home company requires SSO or a second factor, a session opened for the example alone must not enter it. */
async function requiresStrongerSignIn(tx: Db, companyId: number): Promise<boolean> {
  const [company] = await tx.select().from(companies).where(eq(companies.id, companyId))
  if (company?.secondFactor !== 'optional') return true
  const imposed = and(eq(ssoConnections.companyId, companyId), isNotNull(ssoConnections.enforcedAt))
  return (await tx.$count(ssoConnections, imposed)) > 0
}

/**
 * Moves sessions back to the home company, or ends them when it requires a stronger sign-in; then removes users who
 * belonged to the example only.
 */
async function moveSessionsToCompany(tx: Db, example: number, home: number): Promise<string[]> {
  const people = await tx.select().from(memberships).where(eq(memberships.companyId, example))
  const looking = await tx.selectDistinct({ id: sessions.userId }).from(sessions).where(eq(sessions.companyId, example))
  const ids = looking.map(({ id }) => id)
  const back = await tx
    .select({ id: memberships.userId })
    .from(memberships)
    .where(and(eq(memberships.companyId, home), inArray(memberships.userId, ids), isActiveMembership))
  const theirs = inArray(
    sessions.userId,
    back.map(({ id }) => id),
  )
  if (!(await requiresStrongerSignIn(tx, home)))
    await tx
      .update(sessions)
      .set({ companyId: home, space: null })
      .where(and(eq(sessions.companyId, example), isNull(sessions.openedFor), theirs))
  await tx.delete(sessions).where(eq(sessions.companyId, example))
  const { rows } = await tx.execute<{ id: string }>(sql`
    select user_id as id from memberships group by user_id having bool_and(company_id = ${example})`)
  const alone = new Set(rows.map(({ id }) => id))
  return people.map(({ userId }) => userId).filter((id) => alone.has(id))
}

/**
 * Deletes all rows and files of the example in one transaction. A job that is still running then finds nothing to write
 * to; leftovers are removed by the sweep.
 */
export async function removeExample(tx: Db, { companyId }: Actor): Promise<Company> {
  const found = await findExample(tx, companyId)
  if (!found) throw new AppError('not-found')
  const [example] = await tx.select().from(companies).where(eq(companies.id, found.id)).for('update')
  if (!example) throw new AppError('not-found')
  const storedFiles = await tx.select({ sha256: files.sha256 }).from(files).where(eq(files.companyId, example.id))
  const accountsOnlyHere = await moveSessionsToCompany(tx, example.id, companyId)
  await setWriteCompany(tx, undefined)
  await eraseExample(tx, example.id)
  await setWriteCompany(tx, companyId)
  for (const id of accountsOnlyHere) await anonymizeAccount(tx, id)
  const contents = [...new Set(storedFiles.map(({ sha256 }) => getFileKey({ companyId: example.id, sha256 })))]
  await enqueue(tx, 'onboarding.sweep', { companyId: example.id, contents })
  return example
}

/** Every table with a company column, grouped by its distribution in Citus. */
async function listCompanyTablesBySpread(tx: Db): Promise<Partial<Record<Spread, string[]>>> {
  const { rows } = await tx.execute<{ name: string }>(sql`
    select c.relname as name
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'company_id' and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
     order by 1`)
  const names = rows.map(({ name }) => name)
  return Object.fromEntries(Map.groupBy(names, spreadOf))
}

/**
 * Deletes every row of an example company in the caller's transaction, which must not be scoped to one company. Tables
 * that the application role may delete from are handled by that role: on Citus, two roles cannot write a reference
 * table in one transaction.
 */
export async function eraseExample(tx: Db, id: number): Promise<void> {
  const tables = await listCompanyTablesBySpread(tx)
  const toNames = (spread: Spread) => sql`${sql.param(tables[spread] ?? [])}::text[]`
  // An internal note belongs to its author's company, while its ticket may belong to the example.
  await tx.execute(sql`delete from ticket_notes where ticket_company_id = ${id}`)
  await tx.execute(sql`select erase_example(${id}, ${toNames('by-company')})`)
  await tx.execute(sql`select erase_example_here(${id}, ${toNames('first')})`)
  await tx.execute(sql`select erase_rows(${id}, ${toNames('everywhere')})`)
  await tx.delete(companies).where(eq(companies.id, id))
}
