import type { StatementImportResult } from '@voisol/contract/bank'
import { and, eq, inArray, isNull } from 'drizzle-orm'
import { storeFile } from '../../../core/kept-files.ts'
import { getMediaType, sanitizeFileName } from '../../../core/media-type.ts'
import type { Db } from '../../../db/client.ts'
import { bankLines, bankStatements } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { BankMessage, RawBankLine, RawBankStatement } from '../../../formats/bank/types.ts'
import { AppError } from '../../../http/errors.ts'
import type { Secrets } from '../../../secrets.ts'
import {
  type BankAccountRow,
  computeIbanFingerprint,
  decryptAccountIban,
  loadBankAccounts,
} from '../mandates/mandates.ts'
import { type BankLineRow, createLineMatcher, isCertainMatch, type LineMatch } from './find.ts'
import { findGapBefore } from './gap.ts'
import { loadMatchingData } from './known.ts'
import { postMatch } from './post.ts'

export const AUTOMATIC_ACTOR = 'Rapprochement automatique'

const isOfAccount = (secrets: Secrets, account: BankAccountRow, statedIban: string) => {
  const iban = decryptAccountIban(secrets, account) ?? ''
  return statedIban.replace(/\s/g, '') === iban || (statedIban.length > 8 && iban.includes(statedIban))
}

/**
 * A statement must belong to the account it was uploaded to, otherwise the whole file is refused and the right account
 * is named if we have it.
 */
export async function requireStatementAccount(
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
export function withIdentities(lines: readonly RawBankLine[]): (RawBankLine & { identity: string })[] {
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
export async function postCertainMatches(tx: Db, secrets: Secrets, account: BankAccountRow, rows: BankLineRow[]) {
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

export type UploadedFile = { name: string; content: Uint8Array }
/** An uploaded file, who uploads it, and whether to accept missing movements before it. */
export type ImportFileOptions = { upload: UploadedFile; by: string; despiteGap?: boolean | undefined }
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
