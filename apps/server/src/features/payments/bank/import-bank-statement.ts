import { BankColumns, type StatementImportResult } from '@voisol/contract/bank'
import { formatEuros, formatLongDay } from '@voisol/documents/number-and-date-formats'
import type { BankMessage, RawBankLine, RawBankReturn, RawBankStatement } from '@voisol/file-formats/bank/bank-types'
import { and, desc, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { getMediaType, sanitizeFileName, storeFile } from '../../../core/stored-files.ts'
import type { Db } from '../../../db/client.ts'
import { bankColumns, bankLines, bankStatements } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../http/errors.ts'
import type { Secrets } from '../../../secrets.ts'
import { getToday } from '../../../today.ts'
import { loadDebitsOfAccount, loadReturnDescriber, returnDebit } from '../direct-debits/index.ts'
import { type BankAccountRow, computeIbanFingerprint, decryptAccountIban, loadBankAccounts } from '../mandates/index.ts'
import { lockAccounts } from '../payments/index.ts'
import {
  type BankLineRow,
  createLineMatcher,
  isCertainMatch,
  type LineMatch,
  loadMatchingData,
} from './bank-line-matching.ts'
import { postMatch } from './post-bank-line.ts'

/** Loads the column mapping that was chosen for an account's bank files, or null if none was. */
export async function loadBankColumns(db: Db, companyId: number, accountId: string): Promise<BankColumns | null> {
  const [row] = await db
    .select()
    .from(bankColumns)
    .where(and(eq(bankColumns.companyId, companyId), eq(bankColumns.accountId, accountId)))
  return row ? BankColumns.parse(row.columns) : null
}

export async function saveBankColumns(tx: Db, companyId: number, accountId: string, columns: BankColumns) {
  await tx
    .insert(bankColumns)
    .values({ companyId, accountId, columns })
    .onConflictDoUpdate({
      target: [bankColumns.companyId, bankColumns.accountId],
      set: { columns, version: sql`${bankColumns.version} + 1` },
    })
  return { columns }
}

type StatementStart = Pick<RawBankStatement, 'from' | 'opening'>

/** Describes the money missing since the previous statement; empty when this one starts at its closing balance. */
async function findGapBefore(
  tx: Db,
  { companyId, id }: BankAccountRow,
  { from, opening }: StatementStart,
): Promise<string> {
  if (opening === null || from === null) return ''
  const statements = await tx
    .select()
    .from(bankStatements)
    .where(
      and(eq(bankStatements.companyId, companyId), eq(bankStatements.accountId, id), isNotNull(bankStatements.closing)),
    )
    .orderBy(desc(bankStatements.to), desc(bankStatements.createdAt))
  // The same days with more lines: a bank publishes the current day again until it is over.
  if (statements.some((one) => one.from === from && one.opening === opening)) return ''
  const before = statements.find(({ to }) => to !== null && to <= from)
  // A day may have several statements, imported in any order.
  const lastDay = statements.filter(({ to }) => to === before?.to)
  if (!before || before.closing === null || lastDay.some(({ closing }) => closing === opening)) return ''
  return `Le relevé précédent finit à ${formatEuros(before.closing)} le ${formatLongDay(before.to ?? from)}, celui-ci commence à ${formatEuros(opening)}\u00a0: ${formatEuros(Math.abs(opening - before.closing))} de mouvements manquent entre les deux.`
}

/**
 * Applies returns that the bank reports by debit, batch or file reference. Applying them again changes nothing; unknown
 * references are reported.
 */
async function applyReturns(tx: Db, account: BankAccountRow, returns: readonly RawBankReturn[], by: string) {
  const sentences: string[] = []
  const all = await loadDebitsOfAccount(tx, account.companyId, account.id)
  const describeReturn = await loadReturnDescriber(tx, account.companyId)
  let returned = 0
  for (const rawReturn of returns) {
    const own = all.filter(({ endToEndId, batchId }) =>
      rawReturn.endToEndId
        ? endToEndId === rawReturn.endToEndId
        : rawReturn.batchId
          ? batchId === rawReturn.batchId
          : endToEndId.startsWith(`${rawReturn.messageId}-`),
    )
    if (!own.length)
      sentences.push(
        `«\u00a0${rawReturn.endToEndId || rawReturn.batchId || rawReturn.messageId}\u00a0» n’est pas un prélèvement de ce compte\u00a0: laissé de côté.`,
      )
    for (const debit of own) {
      if (debit.status !== 'sent' && debit.status !== 'collected') continue
      const source = `return:${debit.id}:${rawReturn.code}:${rawReturn.on}`
      await returnDebit(tx, account.companyId, debit.id, {
        on: rawReturn.on || getToday(),
        code: rawReturn.code,
        source,
        by,
      })
      returned++
      sentences.push(`${debit.endToEndId}\u00a0: ${describeReturn(debit.id, rawReturn.code)}`)
    }
  }
  return { returned, sentences }
}

const AUTOMATIC_ACTOR = 'Rapprochement automatique'

const isOfAccount = (secrets: Secrets, account: BankAccountRow, statedIban: string) => {
  const iban = decryptAccountIban(secrets, account) ?? ''
  return statedIban.replace(/\s/g, '') === iban || (statedIban.length > 8 && iban.includes(statedIban))
}

/**
 * A statement must belong to the account it was uploaded to, otherwise the whole file is refused and the right account
 * is named if we have it.
 */
async function requireStatementAccount(
  tx: Db,
  secrets: Secrets,
  account: BankAccountRow,
  all: readonly RawBankStatement[],
) {
  const other = all.find(({ account: statedIban }) => statedIban && !isOfAccount(secrets, account, statedIban))
  if (!other) return
  const own = (await loadBankAccounts(tx, account.companyId)).find(
    (one) => one.kind === 'bank' && isOfAccount(secrets, one, other.account),
  )
  const remedy = own ? ` Choisissez «\u00a0${own.name}\u00a0», puis importez-le de nouveau.` : ''
  throw new AppError('conflict', {
    message: `Ce relevé est celui du compte finissant par ${other.account.slice(-4)}, pas de «\u00a0${account.name}\u00a0» (${account.ibanEnd}). Rien n’est importé.${remedy}`,
  })
}

/** Gives each movement an identity; identical movements of one file are distinguished by their order. */
function withIdentities(lines: readonly RawBankLine[]): (RawBankLine & { identity: string })[] {
  const seen = new Map<string, number>()
  return lines.map((line) => {
    const key = [line.bookedOn, line.amount, line.reference, line.part].join('|')
    const nth = seen.get(key) ?? 0
    seen.set(key, nth + 1)
    return { ...line, identity: `${key}|${nth}` }
  })
}

const INSERT_CHUNK_SIZE = 500

/** Inserts the lines that are not stored yet. */
async function addLines(tx: Db, secrets: Secrets, account: BankAccountRow, statementId: string, lines: RawBankLine[]) {
  const rows = withIdentities(lines).map(({ partyIban, part: _, ...line }) => ({
    ...line,
    companyId: account.companyId,
    accountId: account.id,
    statementId,
    partyPrint: partyIban ? computeIbanFingerprint(secrets, partyIban) : '',
  }))
  const added: BankLineRow[] = []
  for (let at = 0; at < rows.length; at += INSERT_CHUNK_SIZE)
    added.push(
      ...(await tx
        .insert(bankLines)
        .values(rows.slice(at, at + INSERT_CHUNK_SIZE))
        .onConflictDoNothing()
        .returning()),
    )
  return added
}

/** Counts the lines that are already stored. */
async function countKnownLines(tx: Db, { companyId, id }: BankAccountRow, lines: RawBankLine[]): Promise<number> {
  const identities = withIdentities(lines).map(({ identity }) => identity)
  let found = 0
  for (let at = 0; at < identities.length; at += INSERT_CHUNK_SIZE) {
    const some = identities.slice(at, at + INSERT_CHUNK_SIZE)
    const own = and(eq(bankLines.companyId, companyId), eq(bankLines.accountId, id), inArray(bankLines.identity, some))
    found += await tx.$count(bankLines, own)
  }
  return found
}

const listTargetIds = (finding: LineMatch): string[] => {
  if (finding.kind === 'sent') return finding.payoutIds
  return finding.kind === 'paid' ? [...finding.found.debits, ...finding.found.items] : []
}

/** Posts the certain matches and leaves the rest to a person. An item paid by one line is not offered to the next. */
async function postCertainMatches(tx: Db, secrets: Secrets, account: BankAccountRow, rows: BankLineRow[]) {
  const known = await loadMatchingData(tx, secrets, account.companyId, account.id)
  const find = createLineMatcher(known)
  const used = new Set<string>()
  const counts = { posted: 0, returned: 0 }
  for (const row of rows.toSorted((a, b) =>
    a.bookedOn < b.bookedOn ? -1 : a.bookedOn > b.bookedOn ? 1 : b.amount - a.amount,
  )) {
    const finding = find(row)
    if (!finding) continue
    const ids = listTargetIds(finding)
    if (!isCertainMatch(finding) || ids.some((id) => used.has(id))) continue
    for (const id of ids) used.add(id)
    await postMatch(tx, row, finding, known.owed, AUTOMATIC_ACTOR)
    counts[finding.kind === 'returned' ? 'returned' : 'posted']++
  }
  return counts
}

type UploadedFile = { name: string; content: Uint8Array }
/** An uploaded file, who uploads it, and whether to accept missing movements before it. */
type ImportFileOptions = { upload: UploadedFile; by: string; despiteGap?: boolean | undefined }
type ImportDeps = Pick<Deps, 'secrets' | 'files'>
async function storeStatementFile(tx: Db, deps: ImportDeps, account: BankAccountRow, upload: UploadedFile) {
  const name = sanitizeFileName(upload.name) || 'releve'
  const file = { name, mediaType: getMediaType(name), content: upload.content }
  return (await storeFile(tx, deps.files, account.companyId, file)).id
}

/** Whether the same statement was already imported without any line: an empty report or a day without movement. */
async function isKnownStatement(
  tx: Db,
  { companyId, id }: BankAccountRow,
  format: string,
  { reference, to, closing, lines }: RawBankStatement,
) {
  if (lines.length) return false
  const same = and(
    eq(bankStatements.format, format),
    eq(bankStatements.reference, reference),
    eq(bankStatements.lines, 0),
  )
  const when = and(
    to === null ? isNull(bankStatements.to) : eq(bankStatements.to, to),
    closing === null ? isNull(bankStatements.closing) : eq(bankStatements.closing, closing),
  )
  const own = and(eq(bankStatements.companyId, companyId), eq(bankStatements.accountId, id))
  return (await tx.$count(bankStatements, and(own, same, when))) > 0
}

type StatementContext = { format: BankMessage['format']; fileId: string; by: string; despiteGap: boolean | undefined }
/**
 * Stores a statement and its new lines. Its opening balance must follow the previous closing one, unless a person
 * accepts the gap.
 */
async function addStatement(
  tx: Db,
  secrets: Secrets,
  account: BankAccountRow,
  statement: RawBankStatement,
  context: StatementContext,
) {
  const gap = await findGapBefore(tx, account, statement)
  if (gap && !context.despiteGap)
    throw new AppError('balance-gap', {
      message: `${gap} Rien n’est importé\u00a0: importez d’abord le relevé qui manque.`,
    })
  const { lines, account: _, ...statementColumns } = statement
  const { format, fileId, by: createdBy } = context
  const whose = { companyId: account.companyId, accountId: account.id }
  const values = { ...whose, ...statementColumns, gap, lines: lines.length, format, fileId, createdBy }
  const [row] = await tx.insert(bankStatements).values(values).returning()
  if (!row) throw new AppError('internal')
  return { gap, added: await addLines(tx, secrets, account, row.id, lines) }
}

/** Imports a bank file; movements that are already stored change nothing. */
export async function importStatements(
  tx: Db,
  deps: ImportDeps,
  account: BankAccountRow,
  message: BankMessage,
  { upload, by, despiteGap }: ImportFileOptions,
): Promise<StatementImportResult> {
  const { format } = message
  await requireStatementAccount(tx, deps.secrets, account, message.statements)
  const counts = { statements: 0, lines: 0, known: 0 }
  const added: BankLineRow[] = []
  const sentences: string[] = []
  let fileId = ''
  for (const statement of message.statements) {
    const known = await countKnownLines(tx, account, statement.lines)
    counts.lines += statement.lines.length
    counts.known += known
    if (known > 0 ? known === statement.lines.length : await isKnownStatement(tx, account, format, statement)) continue
    fileId ||= await storeStatementFile(tx, deps, account, upload)
    const stored = await addStatement(tx, deps.secrets, account, statement, { format, fileId, by, despiteGap })
    if (stored.gap) sentences.push(stored.gap)
    counts.statements++
    added.push(...stored.added)
  }
  const certain = await postCertainMatches(tx, deps.secrets, account, added)
  const open = added.length - certain.posted - certain.returned
  return { format, ...counts, ...certain, open, sentences }
}

/** Imports everything a bank file says, whatever its source: first its lines, then its returns. */
export async function importBankMessage(
  tx: Db,
  deps: Pick<Deps, 'secrets' | 'files'>,
  account: BankAccountRow,
  message: BankMessage,
  options: ImportFileOptions,
): Promise<StatementImportResult> {
  await lockAccounts(tx, account.companyId)
  const imported = await importStatements(tx, deps, account, message, options)
  const { returned, sentences } = await applyReturns(tx, account, message.returns, options.by)
  return { ...imported, returned: imported.returned + returned, sentences: [...imported.sentences, ...sentences] }
}
