import type { BuyerDelivery } from '@voisol/contract/buyers'
import type { BuyerKind } from '@voisol/contract/money'
import type { VatStatus } from '@voisol/money/input'
import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { buyers, participants, sellers, sellerVat } from '../../../db/schema/index.ts'

/** A participant as it is invoiced: its own data, overridden by its billing details. */
export type BuyerRow = {
  id: string
  kind: BuyerKind
  name: string
  jointHolders: string[]
  siren: string
  siret: string
  vatNumber: string
  serviceCode: string
  engagement: string
  address: string
  postalCode: string
  city: string
  country: string
  email: string
  phone: string
  delivery: BuyerDelivery
  groupId: string | null
  acciseClass: string
}

export async function loadBuyers(db: Db, companyId: number, ids: string[]): Promise<Map<string, BuyerRow>> {
  if (!ids.length) return new Map()
  const rows = await db
    .select({ sheet: participants, own: buyers })
    .from(participants)
    .leftJoin(buyers, and(eq(buyers.companyId, participants.companyId), eq(buyers.participantId, participants.id)))
    .where(and(eq(participants.companyId, companyId), inArray(participants.id, ids)))
  return new Map(rows.map(({ sheet, own }) => [sheet.id, toBuyerRow(sheet, own)]))
}

/** An address is taken whole: a street of one place with the town of another would be wrong. */
export function toBuyerRow(
  participant: typeof participants.$inferSelect,
  own: typeof buyers.$inferSelect | null,
): BuyerRow {
  const { address, postalCode, city } = own?.address ? own : participant
  return {
    id: participant.id,
    // The column only stores these values.
    kind: (own?.kind ?? (participant.kind === 'person' ? 'person' : 'company')) as BuyerKind,
    name: own?.legalName || participant.name,
    jointHolders: own?.jointHolders ?? [],
    // A SIRET starts with the SIREN of its company.
    siren: participant.siren || (own?.siret ?? '').slice(0, 9),
    siret: own?.siret ?? '',
    vatNumber: own?.vatNumber ?? '',
    serviceCode: own?.serviceCode ?? '',
    engagement: own?.engagement ?? '',
    address,
    postalCode,
    city,
    country: own?.country ?? 'FR',
    email: own?.email || participant.email,
    phone: participant.phone,
    // The column only stores these values.
    delivery: (own?.delivery ?? 'mail') as BuyerDelivery,
    groupId: own?.groupId ?? null,
    acciseClass: own?.acciseClass ?? '',
  }
}

export type SellerRow = typeof sellers.$inferSelect & { vat: VatStatus[] }

/** The sellers of a company with their VAT modes by day. */
export async function loadSellers(db: Db, companyId: number): Promise<SellerRow[]> {
  const rows = await db.select().from(sellers).where(eq(sellers.companyId, companyId)).orderBy(asc(sellers.prefix))
  const modes = await db
    .select()
    .from(sellerVat)
    .where(eq(sellerVat.companyId, companyId))
    .orderBy(asc(sellerVat.startsOn))
  const bySeller = Map.groupBy(modes, ({ sellerId }) => sellerId)
  return rows.map((row) => ({ ...row, vat: toVatPeriods(bySeller.get(row.id) ?? []) }))
}

/** Each mode applies until the next begins. */
const toVatPeriods = (modes: (typeof sellerVat.$inferSelect)[]): VatStatus[] =>
  modes.map(({ startsOn, mode, rate }, at) => ({
    from: startsOn,
    to: modes[at + 1]?.startsOn ?? null,
    // The column only stores these values.
    mode: mode as VatStatus['mode'],
    rate,
  }))
