import type { Company, CompanyUpdate, SecondFactorUpdate } from '@voisol/contract/companies'
import { and, eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { type Db, setWriteCompany } from '../../../db/client.ts'
import { companies, memberships } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import { hasSecondFactor } from '../auth/index.ts'

type Row = typeof companies.$inferSelect

const toCompany = (row: Row): Company => ({
  ...row,
  trialEndsAt: row.trialEndsAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
})

export async function loadCompany(db: Db, actor: Actor, id: number): Promise<Company> {
  const [row] = await db
    .select()
    .from(companies)
    .where(and(eq(companies.id, id), companyScope(actor)))
  if (!row) throw new AppError('not-found')
  return toCompany(row)
}

/** The contact that the company shows to its clients. */
export async function loadCompanyContact(db: Db, { companyId }: Actor) {
  const { name, email, phone } = companies
  const [row] = await db.select({ name, email, phone }).from(companies).where(eq(companies.id, companyId))
  if (!row) throw new AppError('not-found')
  return row
}

/** Locks one of the user's companies until the end of the transaction, whose writes are then scoped to it. */
export async function lockActorCompany(tx: Db, actor: Actor, id: number): Promise<Company> {
  const [row] = await tx
    .select()
    .from(companies)
    .where(and(eq(companies.id, id), companyScope(actor)))
    .for('no key update')
  if (!row) throw new AppError('not-found')
  if (id !== actor.companyId) await setWriteCompany(tx, id)
  return toCompany(row)
}

/**
 * The administrator must have a second factor, so that nobody locks themselves out; and must prove it, so that a stolen
 * password does not switch the rule off.
 */
export async function updateSecondFactorPolicy(
  tx: Db,
  actor: Actor,
  id: number,
  input: z.output<typeof SecondFactorUpdate>,
) {
  const before = await lockActorCompany(tx, actor, id)
  if (actor.kind !== 'person') throw new AppError('forbidden')
  if (!(await hasSecondFactor(tx, actor.userId)))
    throw new AppError('conflict', {
      message: 'Activez d’abord votre propre double authentification, depuis votre profil.',
    })
  requireCurrentVersion(before, input)
  const [row] = await tx
    .update(companies)
    .set({ secondFactor: input.secondFactor, version: before.version + 1 })
    .where(eq(companies.id, id))
    .returning()
  if (!row) throw new AppError('not-found')
  return { before, after: toCompany(row) }
}

export async function updateCompany(tx: Db, actor: Actor, id: number, input: z.output<typeof CompanyUpdate>) {
  const before = await lockActorCompany(tx, actor, id)
  const { version, ...values } = input
  requireCurrentVersion(before, input)
  const [row] = await tx
    .update(companies)
    .set({ ...values, version: version + 1 })
    .where(eq(companies.id, id))
    .returning()
  if (!row) throw new AppError('not-found')
  return { before, after: toCompany(row) }
}

/**
 * The user's company, and another one named in the call if `requireReach` let the session into it and the user
 * administers it. Every other company is answered as not found.
 */
const companyScope = (actor: Actor) => sql`exists (
  select 1 from ${memberships}
   where ${memberships.companyId} = ${companies.id} and ${memberships.userId} = ${actor.userId}
     and (${memberships.companyId} = ${actor.companyId}
       or ${memberships.companyId} = ${actor.namedCompanyId ?? null}::int and ${memberships.role} = 'admin' and ${memberships.operationIds} is null)
     and ${memberships.acceptedAt} is not null and ${memberships.disabledAt} is null)`
