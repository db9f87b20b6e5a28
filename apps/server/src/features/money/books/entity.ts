import type { BookParty } from '@voisol/money/accounts/book'
import { and, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { participants, sellers } from '../../../db/schema/index.ts'
import { AppError } from '../../../http/errors.ts'

export type Entity = { companyId: number; id: string; name: string; siren: string }

export async function loadEntity(db: Db, companyId: number, id: string): Promise<Entity> {
  const [row] = await db
    .select({ companyId: sellers.companyId, id: sellers.id, name: sellers.name, siren: sellers.siren })
    .from(sellers)
    .where(and(eq(sellers.companyId, companyId), eq(sellers.id, id)))
  if (!row) throw new AppError('not-found')
  return row
}

/** An auxiliary account is identified by its owner's id, since names may change. */
const buildAuxiliaryCode = (letter: 'C' | 'P', id: string) =>
  `${letter}${id.replaceAll('-', '').slice(0, 12).toUpperCase()}`

export type PartyFinder = { customer: (id: string) => BookParty; seller: (id: string) => BookParty }

/** Everybody who may have an account in a company's books, under their current name. */
export async function loadParties(db: Db, companyId: number): Promise<PartyFinder> {
  const people = await db
    .select({ id: participants.id, name: participants.name })
    .from(participants)
    .where(eq(participants.companyId, companyId))
  const firms = await db
    .select({ id: sellers.id, name: sellers.name })
    .from(sellers)
    .where(eq(sellers.companyId, companyId))
  const names = new Map([...people, ...firms].map(({ id, name }) => [id, name]))
  const party = (letter: 'C' | 'P') => (id: string) => ({
    code: buildAuxiliaryCode(letter, id),
    name: names.get(id) ?? '',
  })
  return { customer: party('C'), seller: party('P') }
}
