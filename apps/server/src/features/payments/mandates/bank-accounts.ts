import type { BankAccount, BankAccountDraft, BankAccountUpdate } from '@voisol/contract/bank-accounts'
import { and, asc, eq, getTableColumns, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { bankAccounts, sellers } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import type { Secrets } from '../../../secrets.ts'
import { compactIban, findIbanError } from '../../energy/participants/index.ts'

/** A fingerprint to compare accounts without decrypting them: equal for equal IBANs. */
export const computeIbanFingerprint = (secrets: Secrets, iban: string) => secrets.print(compactIban(iban), 'iban')

/** Checks a typed IBAN, and refuses it with what is expected. */
export function requireValidIban(text: string): string {
  const iban = compactIban(text)
  const fault = findIbanError(iban)
  if (fault) throw fieldError('iban', fault)
  return iban
}

/** The stored columns of an IBAN: encrypted for its row, last digits and fingerprint. */
export const sealAccountIban = (secrets: Secrets, place: string, iban: string) => ({
  iban: secrets.seal(iban, place),
  ibanEnd: iban.slice(-4),
  ibanPrint: computeIbanFingerprint(secrets, iban),
})

export type BankAccountRow = typeof bankAccounts.$inferSelect & { owner: string }
type AccountRef = Pick<BankAccountRow, 'companyId' | 'id'>
const getSealContext = ({ companyId, id }: AccountRef) => `bank account ${companyId} ${id}`

/** Only for files sent to a bank: no screen shows the full IBAN. */
export const decryptAccountIban = (
  secrets: Secrets,
  account: AccountRef & Pick<BankAccountRow, 'iban'>,
): string | null => (account.iban === null ? null : secrets.open(account.iban, getSealContext(account)))

/** The bank accounts of a company, with the owner of each. */
export const loadBankAccounts = (db: Db, companyId: number): Promise<BankAccountRow[]> =>
  db
    .select({ ...getTableColumns(bankAccounts), owner: sellers.name })
    .from(bankAccounts)
    .innerJoin(sellers, and(eq(sellers.companyId, bankAccounts.companyId), eq(sellers.id, bankAccounts.ownerId)))
    .where(eq(bankAccounts.companyId, companyId))
    .orderBy(asc(bankAccounts.createdAt), asc(bankAccounts.id))

export async function loadBankAccount(db: Db, companyId: number, id: string): Promise<BankAccountRow> {
  const found = (await loadBankAccounts(db, companyId)).find((account) => account.id === id)
  if (!found) throw new AppError('not-found')
  return found
}

/** The open lines of each account, and the last day of its statements. */
async function loadAccountStatus(db: Db, companyId: number) {
  const { rows } = await db.execute<{ id: string; open: number; until: string | null }>(sql`
    select a.id, (select count(*)::int from bank_lines l
                   where l.company_id = ${companyId} and l.account_id = a.id and l.status = 'open') as open,
           (select max(s.to_day)::text from bank_statements s
             where s.company_id = ${companyId} and s.account_id = a.id) as until
      from bank_accounts a where a.company_id = ${companyId}`)
  return new Map(rows.map((row) => [row.id, row]))
}

export async function listBankAccounts(db: Db, { companyId }: Actor): Promise<BankAccount[]> {
  const statusById = await loadAccountStatus(db, companyId)
  return (await loadBankAccounts(db, companyId)).map((row) => ({
    id: row.id,
    ownerId: row.ownerId,
    owner: row.owner,
    name: row.name,
    // The columns only store these values.
    kind: row.kind as BankAccount['kind'],
    painVersion: row.painVersion as BankAccount['painVersion'],
    firstMarked: row.firstMarked,
    ibanEnd: row.ibanEnd,
    bic: row.bic,
    ics: row.ics,
    open: statusById.get(row.id)?.open ?? 0,
    until: statusById.get(row.id)?.until ?? null,
    version: row.version,
  }))
}

async function loadAccountView(db: Db, actor: Actor, id: string): Promise<BankAccount> {
  const found = (await listBankAccounts(db, actor)).find((account) => account.id === id)
  if (!found) throw new AppError('not-found')
  return found
}

/** Refuses a second account with the same IBAN: it would receive the same statements. */
async function requireNewAccount(tx: Db, companyId: number, print: string, exceptId?: string) {
  const [same] = (await loadBankAccounts(tx, companyId)).filter((row) => row.ibanPrint === print && row.id !== exceptId)
  if (same) throw fieldError('iban', `Ce compte est déjà enregistré\u00a0: «\u00a0${same.name}\u00a0».`)
}

export async function addBankAccount(
  tx: Db,
  secrets: Secrets,
  actor: Actor,
  { iban: text, ...input }: z.output<typeof BankAccountDraft>,
): Promise<BankAccount> {
  const { companyId } = actor
  const [owner] = await tx
    .select({ id: sellers.id })
    .from(sellers)
    .where(and(eq(sellers.companyId, companyId), eq(sellers.id, input.ownerId)))
    .for('key share')
  if (!owner) throw new AppError('not-found')
  const id = crypto.randomUUID()
  const sealed = sealAccountIban(secrets, getSealContext({ companyId, id }), requireValidIban(text))
  await requireNewAccount(tx, companyId, sealed.ibanPrint)
  await tx.insert(bankAccounts).values({ companyId, id, ...input, ...sealed })
  return loadAccountView(tx, actor, id)
}

export async function updateBankAccount(
  tx: Db,
  secrets: Secrets,
  actor: Actor,
  id: string,
  { iban: text, ...input }: z.output<typeof BankAccountUpdate>,
) {
  const own = and(eq(bankAccounts.companyId, actor.companyId), eq(bankAccounts.id, id))
  const [row] = await tx.select().from(bankAccounts).where(own).for('update')
  if (!row) throw new AppError('not-found')
  requireCurrentVersion(row, input)
  const before = await loadAccountView(tx, actor, id)
  const sealed = text?.trim() ? sealAccountIban(secrets, getSealContext(row), requireValidIban(text)) : null
  if (sealed) await requireNewAccount(tx, actor.companyId, sealed.ibanPrint, id)
  await tx
    .update(bankAccounts)
    .set({ ...input, ...sealed, version: input.version + 1 })
    .where(own)
  return { before, after: await loadAccountView(tx, actor, id) }
}
