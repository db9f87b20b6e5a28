import type { BankMessage } from '@voisol/file-formats/bank/bank-types'
import { and, eq, or } from 'drizzle-orm'
import { type Db, scopeToCompany, transaction } from '../../../db/client.ts'
import { debitRuns, debits } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../http/errors.ts'
import { type BankAccountRow, decryptAccountIban, loadBankAccounts } from '../mandates/index.ts'
import { importBankMessage, loadBankColumns } from './import-bank-statement.ts'

export const WATCHED_FOLDER_LABEL = 'Dossier surveillé'
const buildRefusal = (message: string) => new AppError('conflict', { message })

/** The only account with a known column mapping: a table file does not say which account it belongs to. */
async function findTableAccount(db: Db, companyId: number, accounts: BankAccountRow[]) {
  const known = []
  for (const account of accounts) {
    const columns = await loadBankColumns(db, companyId, account.id)
    if (columns) known.push({ account, columns })
  }
  return known.length === 1 ? known[0] : undefined
}

/** The account that a bank return belongs to: the one of the debit file that it answers. */
async function findReturnAccountId(db: Db, companyId: number, { returns }: BankMessage) {
  const [first] = returns
  if (!first) return undefined
  const [found] = await db
    .select({ accountId: debitRuns.accountId })
    .from(debitRuns)
    .leftJoin(debits, and(eq(debits.companyId, debitRuns.companyId), eq(debits.runId, debitRuns.id)))
    .where(
      and(
        eq(debitRuns.companyId, companyId),
        or(eq(debitRuns.messageId, first.messageId), eq(debits.endToEndId, first.endToEndId)),
      ),
    )
    .limit(1)
  return found?.accountId
}

async function resolveAccount(deps: Deps, companyId: number, accounts: BankAccountRow[], message: BankMessage) {
  const statedIban = message.statements[0]?.account.replace(/\s/g, '') ?? ''
  const byIban = statedIban && accounts.find((account) => decryptAccountIban(deps.secrets, account) === statedIban)
  if (byIban) return byIban
  const answered = await findReturnAccountId(deps.db, companyId, message)
  const account = accounts.find(({ id }) => id === answered)
  if (account) return account
  throw buildRefusal(
    statedIban
      ? `Ce relevé est celui du compte finissant par ${statedIban.slice(-4)}, qui n’est pas enregistré ici\u00a0: ajoutez-le dans «\u00a0Comptes bancaires\u00a0», puis déposez de nouveau le fichier.`
      : 'Ce fichier ne dit pas de quel compte il est\u00a0: importez-le depuis l’écran «\u00a0Banque\u00a0».',
  )
}

async function importDroppedFile(deps: Deps, companyId: number, { name, content }: { name: string; content: Buffer }) {
  const accounts = (await loadBankAccounts(deps.db, companyId)).filter(({ kind }) => kind === 'bank')
  const tables = await findTableAccount(deps.db, companyId, accounts)
  const isTable = !/\.xml$/i.test(name)
  if (isTable && !tables)
    throw buildRefusal(
      'Un tableau ne dit pas de quel compte il est\u00a0: un seul compte dont les colonnes ont été nommées est attendu. Importez-le depuis l’écran «\u00a0Banque\u00a0».',
    )
  const readInput = { bytes: new Uint8Array(content), columns: tables?.columns ?? null }
  const read = await deps.compute('bank.read', readInput, { companyId })
  if (!('message' in read)) throw new Error('a file was asked for, not its titles')
  const { message } = read
  const account = message.format === 'csv' ? tables?.account : await resolveAccount(deps, companyId, accounts, message)
  if (!account) throw buildRefusal('Ce tableau n’est celui d’aucun compte dont les colonnes ont été nommées.')
  await transaction(scopeToCompany(deps.db, companyId), (tx) =>
    importBankMessage(tx, deps, account, message, {
      upload: { name, content: new Uint8Array(content) },
      by: WATCHED_FOLDER_LABEL,
    }),
  )
}

/**
 * Imports the statements dropped in each company's folder; a file that cannot be imported is set aside with the reason.
 */
export async function importDroppedStatements(deps: Deps): Promise<void> {
  const { statements } = deps
  if (!statements) return
  for (const companyId of await statements.companies())
    for (const droppedFile of await statements.waiting(companyId)) {
      const refusal = await importDroppedFile(deps, companyId, droppedFile).then(
        () => undefined,
        (error: unknown) => {
          if (error instanceof AppError) return error.message
          throw error
        },
      )
      await statements.putAway(companyId, droppedFile.name, refusal)
    }
}
