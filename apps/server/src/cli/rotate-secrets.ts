import { sql } from 'drizzle-orm'
import { type Db, transaction } from '../db/client.ts'
import { auditHeads } from '../db/schema/index.ts'
import type { Deps } from '../deps.ts'
import { computeSecretFingerprint } from '../features/admin/backups/index.ts'
import { anchorRotatedSequences } from '../features/billing/invoices/index.ts'
import { appendAudit } from '../http/audit.ts'
import type { Secrets } from '../secrets.ts'
import { formatCliCount, printLine, UsageError } from './output.ts'

type SealedRow = { company_id: number | null; id: string | null; sealed: string }
type RotationResult = { sealed: number; unreadable: string[]; series: number; unsigned: string[] }

/** The value sealed by the current key, or undefined if no key opens it. */
function resealSecret(secrets: Secrets, sealed: string, place: string): { sealed: string; text: string } | undefined {
  try {
    const text = secrets.open(sealed, place)
    return { sealed: secrets.isOld(sealed, place) ? secrets.seal(text, place) : sealed, text }
  } catch {
    return undefined
  }
}

const toIdentifier = (column: string) => sql.identifier(column)

/** A value changed meanwhile is sealed by the new key already, and is left alone. */
async function rotateColumn(
  tx: Db,
  secrets: Secrets,
  one: SealedColumn,
): Promise<{ sealed: number; unreadable: number }> {
  const key = one.key ?? ['company_id', 'id']
  const { rows } = await tx.execute<SealedRow>(sql`
    select ${key.includes('company_id') ? toIdentifier('company_id') : sql`null::int`} as company_id,
           ${key.includes('id') ? toIdentifier('id') : sql`null::text`} as id, ${toIdentifier(one.column)} as sealed
      from ${toIdentifier(one.table)} where ${toIdentifier(one.column)} is not null`)
  let [sealed, unreadable] = [0, 0]
  for (const row of rows) {
    const made = resealSecret(secrets, row.sealed, one.place({ companyId: row.company_id ?? 0, id: row.id ?? '' }))
    if (!made) unreadable++
    if (!made || made.sealed === row.sealed) continue
    const print = one.print ? sql`, ${toIdentifier(one.print)} = ${secrets.print(made.text, 'iban')}` : sql``
    const own = key.map((column) => sql`${toIdentifier(column)} = ${column === 'id' ? row.id : row.company_id}`)
    await tx.execute(sql`update ${toIdentifier(one.table)} set ${toIdentifier(one.column)} = ${made.sealed}${print}
      where ${sql.join(own, sql` and `)} and ${toIdentifier(one.column)} = ${row.sealed}`)
    sealed++
  }
  return { sealed, unreadable }
}

/**
 * The holder of the former key could still rewrite what it signed, up to the first link of the new key: every chain
 * gets such a link now.
 */
async function anchorChains(tx: Db, { secrets, config }: Deps): Promise<number> {
  const heads = await tx.select({ companyId: auditHeads.companyId }).from(auditHeads)
  for (const { companyId } of heads)
    await appendAudit(tx, secrets, {
      companyId,
      userId: null,
      actor: 'ligne de commande',
      action: 'voisol rotate-secrets',
      label: 'Changer la clé des secrets',
      target: `clé d’empreinte ${computeSecretFingerprint(config.secretKey)}`,
      outcome: 'done',
      detail: {},
      requestId: crypto.randomUUID(),
      ip: '',
    })
  return heads.length
}

export async function rotateAllSecrets(deps: Deps): Promise<RotationResult> {
  const done: RotationResult = { sealed: 0, unreadable: [], series: 0, unsigned: [] }
  for (const one of SEALED_COLUMNS) {
    const { sealed, unreadable } = await transaction(deps.db, (tx) => rotateColumn(tx, deps.secrets, one))
    done.sealed += sealed
    if (unreadable) done.unreadable.push(`${one.table}.${one.column} (${unreadable})`)
  }
  await transaction(deps.db, (tx) => anchorChains(tx, deps))
  const { count, unsigned } = await anchorRotatedSequences(deps)
  return { ...done, series: count, unsigned }
}

/** Seals with SECRET_KEY everything that former keys sealed. It can be restarted, and the server may run meanwhile. */
export async function runRotateSecretsCommand(deps: Deps): Promise<boolean> {
  if (!deps.config.formerKeys.length)
    throw new UsageError('Donnez la nouvelle clé dans SECRET_KEY, et celle d’avant dans SECRET_KEY_PREVIOUS.')
  const { sealed, unreadable, series, unsigned } = await rotateAllSecrets(deps)
  printLine(
    `✓ ${formatCliCount(sealed, 'secret scellé', 'secrets scellés')} de nouveau, clé d’empreinte ${computeSecretFingerprint(deps.config.secretKey)}.`,
  )
  if (series)
    printLine(`✓ ${formatCliCount(series, 'série de factures signée', 'séries de factures signées')} de nouveau.`)
  printLine(
    '  Gardez SECRET_KEY_PREVIOUS\u00a0: l’audit et les factures d’avant, les copies d’avant et les e-mails en attente se lisent avec elle.',
  )
  for (const column of unreadable) printLine(`✗ ${column}\u00a0: ni SECRET_KEY ni SECRET_KEY_PREVIOUS ne les ouvre.`)
  for (const name of unsigned)
    printLine(
      `✗ Factures ${name}\u00a0: la dernière ne porte aucune signature valide (voir «\u00a0voisol audit verify\u00a0»).`,
    )
  return unreadable.length + unsigned.length === 0
}

type Row = { companyId: number; id: string }
/** A sealed column, and the context that opens it; `print` is the fingerprint stored beside an IBAN. */
type SealedColumn = {
  table: string
  column: string
  place: (row: Row) => string
  print?: string
  key?: string[]
}

const defineSealedColumn = (table: string, column: string, word: string, print?: string): SealedColumn => ({
  table,
  column,
  place: ({ companyId, id }) => `${word} ${companyId} ${id}`,
  ...(print && { print }),
})

/**
 * All values that stay sealed; a test checks that every place of the code that seals is listed, here or among the
 * short-lived ones.
 */
export const SEALED_COLUMNS: SealedColumn[] = [
  defineSealedColumn('participants', 'iban', 'iban'),
  defineSealedColumn('sellers', 'iban', 'seller iban'),
  defineSealedColumn('bank_accounts', 'iban', 'bank account', 'iban_print'),
  defineSealedColumn('mandates', 'iban', 'mandate iban', 'iban_print'),
  defineSealedColumn('mandates', 'former_iban', 'mandate iban'),
  defineSealedColumn('online_providers', 'key', 'online key'),
  defineSealedColumn('online_providers', 'secret', 'online secret'),
  defineSealedColumn('enedis_credentials', 'client_id', 'enedis client'),
  defineSealedColumn('enedis_credentials', 'client_secret', 'enedis secret'),
  defineSealedColumn('connections', 'settings', 'connection'),
  defineSealedColumn('webhooks', 'secret', 'webhook'),
  defineSealedColumn('webhooks', 'former_secret', 'webhook'),
  defineSealedColumn('sso_connections', 'client_secret', 'sso secret'),
  defineSealedColumn('sso_connections', 'signing_key', 'sso key'),
  {
    table: 'sync_settings',
    column: 'file_key',
    place: ({ companyId }) => `distributor files ${companyId}`,
    key: ['company_id'],
  },
  { table: 'users', column: 'totp_secret', place: ({ id }) => `totp ${id}`, key: ['id'] },
]
