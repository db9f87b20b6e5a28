import { FeePart, type Seller, type SellerCandidate, type SellerVat } from '@voisol/contract/sellers'
import { foldText } from '@voisol/file-formats/french'
import { and, asc, count, eq, ne, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { billingMandates, companies, files, invoices, sellerVat } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { getToday } from '../../../today.ts'
import { loadSellers, type SellerRow } from './load-parties.ts'
import { checkSeller, isMandateInForce, loadMandateContext } from './party-issues.ts'

/** Words left out of a prefix. */
const IGNORED_WORDS = new Set([
  'de',
  'du',
  'des',
  'la',
  'le',
  'les',
  'et',
  'en',
  'au',
  'aux',
  'd',
  'l',
  'sci',
  'sas',
  'sarl',
  'sa',
])

/**
 * Two words of the name, three letters each, then a dash: « Copropriété Les Tilleuls » gives COPTIL-. A taken prefix
 * gets a number.
 */
export function proposeInvoicePrefix(name: string, taken: ReadonlySet<string>): string {
  const words = foldText(name)
    .split(/[^a-z0-9]+/)
    .filter((word) => word && !IGNORED_WORDS.has(word))
  const [first = '', second = ''] = words
  const stem = (second ? first.slice(0, 3) + second.slice(0, 3) : first.slice(0, 6)).toUpperCase() || 'VENDEUR'
  for (let count = 1; ; count++) {
    const prefix = `${stem}${count === 1 ? '' : count}-`
    if (!taken.has(prefix)) return prefix
  }
}

/** By seller, the last invoiced day, without statements: they owe no VAT and so do not depend on its mode. */
async function loadLastBilledDays(db: Db, companyId: number): Promise<Map<string, string>> {
  const rows = await db
    .select({ sellerId: invoices.sellerId, last: sql<string>`(max(${invoices.to}) - 1)::text` })
    .from(invoices)
    .where(and(eq(invoices.companyId, companyId), ne(invoices.kind, 'statement')))
    .groupBy(invoices.sellerId)
  return new Map(rows.map(({ sellerId, last }) => [sellerId, last]))
}

/** The first issued document of a seller, optionally with a further condition. */
export async function findFirstIssuedDocument(db: Db, companyId: number, sellerId: string, more?: SQL) {
  const [row] = await db
    .select({ number: invoices.number, issuedOn: invoices.issuedOn })
    .from(invoices)
    .where(and(eq(invoices.companyId, companyId), eq(invoices.sellerId, sellerId), more))
    .orderBy(invoices.issuedOn, invoices.number)
    .limit(1)
  return row
}

type SellerVatRow = typeof sellerVat.$inferSelect
type BillingMandateRow = typeof billingMandates.$inferSelect
type FileRow = { id: string; name: string; size: number }

/** A VAT mode can be removed if it is the last one and nothing was invoiced under it. */
function toSellerVat(rows: readonly SellerVatRow[], lastBilled: string | undefined, day: string): SellerVat[] {
  const current = rows.findLast(({ startsOn }) => startsOn <= day)
  return rows.map((row, at) => ({
    id: row.id,
    startsOn: row.startsOn,
    // The column only stores these values.
    mode: row.mode as SellerVat['mode'],
    rate: row.rate,
    by: row.createdBy,
    at: row.createdAt.toISOString(),
    state: row === current ? 'held' : row.startsOn > day ? 'future' : 'past',
    removable: at === rows.length - 1 && (lastBilled === undefined || lastBilled < row.startsOn),
  }))
}

const toSellerMandate = (
  row: BillingMandateRow,
  file: FileRow | undefined,
  day: string,
): Seller['mandates'][number] => ({
  id: row.id,
  sellerId: row.sellerId,
  startsOn: row.startsOn,
  endsOn: row.endsOn,
  signedOn: row.signedOn,
  collects: row.collects,
  file: file ? { name: file.name, size: file.size } : null,
  state: isMandateInForce(row, day) ? 'held' : row.startsOn > day ? 'future' : 'past',
  version: row.version,
})

function toSellerIdentity(row: SellerRow) {
  const { id, participantId, name, legalForm, siren, siret, vatNumber, address, postalCode, city, country } = row
  const { email, phone, ibanEnd, bic, prefix, payfip, managementFeeRate, version } = row
  const place = { address, postalCode, city, country, email, phone }
  const numbers = { siren, siret, vatNumber, ibanEnd, bic, prefix, payfip }
  return { id, participantId, name, legalForm, ...place, ...numbers, managementFeeRate, version }
}

/** Every seller of the company with all its details. */
export async function listSellers(db: Db, actor: Actor): Promise<Seller[]> {
  const { companyId } = actor
  const day = getToday()
  const rows = await loadSellers(db, companyId)
  const vat = Map.groupBy(
    await db.select().from(sellerVat).where(eq(sellerVat.companyId, companyId)).orderBy(asc(sellerVat.startsOn)),
    ({ sellerId }) => sellerId,
  )
  const mandateContext = await loadMandateContext(db, companyId)
  const mandates = Map.groupBy(
    mandateContext.mandates.toSorted((a, b) => (a.startsOn < b.startsOn ? -1 : 1)),
    ({ sellerId }) => sellerId,
  )
  const filesById = await loadSignedFiles(db, companyId)
  const billed = await loadLastBilledDays(db, companyId)
  const documents = await countDocumentsBySeller(db, companyId)
  return rows.map((row) => ({
    ...toSellerIdentity(row),
    managementFees: FeePart.array().parse(row.managementFees),
    vat: toSellerVat(vat.get(row.id) ?? [], billed.get(row.id), day),
    mandates: (mandates.get(row.id) ?? []).map((mandate) =>
      toSellerMandate(mandate, filesById.get(mandate.fileId ?? ''), day),
    ),
    documents: documents.get(row.id) ?? 0,
    issues: checkSeller(row, { day, issuedOn: day, ...mandateContext }),
  }))
}

async function loadSignedFiles(db: Db, companyId: number): Promise<Map<string, FileRow>> {
  const rows = await db
    .select({ id: files.id, name: files.name, size: files.size })
    .from(files)
    .where(sql`${files.companyId} = ${companyId} and ${files.id} in (
      select m.file_id from ${billingMandates} m where m.company_id = ${companyId})`)
  return new Map(rows.map((row) => [row.id, row]))
}

async function countDocumentsBySeller(db: Db, companyId: number): Promise<Map<string, number>> {
  const rows = await db
    .select({ sellerId: invoices.sellerId, documents: count() })
    .from(invoices)
    .where(eq(invoices.companyId, companyId))
    .groupBy(invoices.sellerId)
  return new Map(rows.map(({ sellerId, documents }) => [sellerId, documents]))
}

export async function loadSeller(db: Db, actor: Actor, id: string): Promise<Seller> {
  const seller = (await listSellers(db, actor)).find((one) => one.id === id)
  if (!seller) throw new AppError('not-found')
  return seller
}

/** Producers that are no sellers yet, and the company itself as organiser, each with a free prefix. */
export async function listSellerCandidates(db: Db, { companyId }: Actor): Promise<SellerCandidate[]> {
  const known = await loadSellers(db, companyId)
  const taken = new Set(known.map(({ prefix }) => prefix))
  const { rows } = await db.execute<Omit<SellerCandidate, 'prefix'>>(sql`
    select p.id as "participantId", p.name, p.siren, p.address, p.postal_code as "postalCode", p.city, p.email, p.phone,
           array_agg(distinct o.name order by o.name) as operations
      from participants p
      join participations s on s.company_id = p.company_id and s.participant_id = p.id
      join points t on t.company_id = s.company_id and t.id = s.point_id and t.direction = 'production'
      join operations o on o.company_id = s.company_id and o.id = s.operation_id
     where p.company_id = ${companyId}
       and not exists (select 1 from sellers x where x.company_id = p.company_id and x.participant_id = p.id)
     group by p.company_id, p.id order by p.name, p.id`)
  const organiser = known.some(({ participantId }) => participantId === null)
    ? []
    : await loadOrganiserCandidate(db, companyId)
  return [...rows, ...organiser].map((row) => {
    const prefix = proposeInvoicePrefix(row.name, taken)
    taken.add(prefix)
    return { ...row, prefix }
  })
}

async function loadOrganiserCandidate(db: Db, companyId: number): Promise<Omit<SellerCandidate, 'prefix'>[]> {
  const rows = await db.select().from(companies).where(eq(companies.id, companyId))
  return rows.map(({ name, legalName, siren, address, email, phone }) => ({
    participantId: null,
    name: legalName || name,
    siren,
    address,
    postalCode: '',
    city: '',
    email,
    phone,
    operations: [],
  }))
}
