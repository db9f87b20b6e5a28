import type { Imported } from '@voisol/contract/bank'
import { and, eq, inArray, isNull } from 'drizzle-orm'
import { keepFile } from '../../../core/kept-files.ts'
import { cleanName, mediaTypeOf } from '../../../core/media-type.ts'
import type { Db } from '../../../db/client.ts'
import { bankLines, bankStatements } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { BankMessage, RawLine, RawStatement } from '../../../formats/bank/types.ts'
import { AppError } from '../../../http/errors.ts'
import type { Secrets } from '../../../secrets.ts'
import { type AccountRow, accountsOf, ibanPrint, openAccountIban } from '../mandates/mandates.ts'
import { type Finding, finder, isCertain, type LineRow } from './find.ts'
import { gapBefore } from './gap.ts'
import { knownOf } from './known.ts'
import { postFound } from './post.ts'

export const AUTOMATIC = 'Rapprochement automatique'

const isOf = (secrets: Secrets, account: AccountRow, told: string) => {
  const iban = openAccountIban(secrets, account) ?? ''
  return told.replace(/\s/g, '') === iban || (told.length > 8 && iban.includes(told))
}

/** A statement is of the account it is given to, or nothing of it is taken; the one it is of is named, where we have it. */
export async function requireAccount(tx: Db, secrets: Secrets, account: AccountRow, all: readonly RawStatement[]) {
  const other = all.find(({ account: told }) => told && !isOf(secrets, account, told))
  if (!other) return
  const own = (await accountsOf(tx, account.companyId)).find(
    (one) => one.kind === 'bank' && isOf(secrets, one, other.account),
  )
  const remedy = own ? ` Choisissez «\u00a0${own.name}\u00a0», puis importez-le de nouveau.` : ''
  throw new AppError('conflict', {
    message: `Ce relevé est celui du compte finissant par ${other.account.slice(-4)}, pas de «\u00a0${account.name}\u00a0» (${account.ibanEnd}). Rien n’est importé.${remedy}`,
  })
}

/** What movements are known by: those alike in one file are told apart by their order. */
export function identified(lines: readonly RawLine[]): (RawLine & { identity: string })[] {
  const seen = new Map<string, number>()
  return lines.map((line) => {
    const key = [line.bookedOn, line.amount, line.reference, line.part].join('|')
    const nth = seen.get(key) ?? 0
    seen.set(key, nth + 1)
    return { ...line, identity: `${key}|${nth}` }
  })
}

const CHUNK = 500

/** Adds the lines that are not known yet. */
async function addLines(tx: Db, secrets: Secrets, account: AccountRow, statementId: string, lines: RawLine[]) {
  const rows = identified(lines).map(({ partyIban, part: _, ...line }) => ({
    ...line,
    companyId: account.companyId,
    accountId: account.id,
    statementId,
    partyPrint: partyIban ? ibanPrint(secrets, partyIban) : '',
  }))
  const added: LineRow[] = []
  for (let at = 0; at < rows.length; at += CHUNK)
    added.push(
      ...(await tx
        .insert(bankLines)
        .values(rows.slice(at, at + CHUNK))
        .onConflictDoNothing()
        .returning()),
    )
  return added
}

/** Which of the lines are there already. */
async function knownCount(tx: Db, { companyId, id }: AccountRow, lines: RawLine[]): Promise<number> {
  const identities = identified(lines).map(({ identity }) => identity)
  let found = 0
  for (let at = 0; at < identities.length; at += CHUNK) {
    const some = identities.slice(at, at + CHUNK)
    const own = and(eq(bankLines.companyId, companyId), eq(bankLines.accountId, id), inArray(bankLines.identity, some))
    found += await tx.$count(bankLines, own)
  }
  return found
}

const targetsOf = (finding: Finding): string[] => {
  if (finding.kind === 'sent') return finding.payoutIds
  return finding.kind === 'paid' ? [...finding.found.debits, ...finding.found.items] : []
}

/** Posts what is certain; the rest waits for a person. What one line pays is no longer open for the next. */
export async function postCertain(tx: Db, secrets: Secrets, account: AccountRow, rows: LineRow[]) {
  const known = await knownOf(tx, secrets, account.companyId, account.id)
  const find = finder(known)
  const used = new Set<string>()
  const counts = { posted: 0, returned: 0 }
  for (const row of rows.toSorted((a, b) =>
    a.bookedOn < b.bookedOn ? -1 : a.bookedOn > b.bookedOn ? 1 : b.amount - a.amount,
  )) {
    const finding = find(row)
    if (!finding) continue
    const ids = targetsOf(finding)
    if (!isCertain(finding) || ids.some((id) => used.has(id))) continue
    for (const id of ids) used.add(id)
    await postFound(tx, row, finding, known.owed, AUTOMATIC)
    counts[finding.kind === 'returned' ? 'returned' : 'posted']++
  }
  return counts
}

export type Upload = { name: string; content: Uint8Array }
/** A file, who gives it, and whether movements may be missing before it. */
export type Giving = { upload: Upload; by: string; despiteGap?: boolean | undefined }
type Tools = Pick<Deps, 'secrets' | 'files'>
async function keep(tx: Db, deps: Tools, account: AccountRow, upload: Upload) {
  const name = cleanName(upload.name) || 'releve'
  const file = { name, mediaType: mediaTypeOf(name), content: upload.content }
  return (await keepFile(tx, deps.files, account.companyId, file)).id
}

/** The same statement given again, though nothing moved in it: a report, or a quiet day. */
async function isKnown(
  tx: Db,
  { companyId, id }: AccountRow,
  format: string,
  { reference, to, closing, lines }: RawStatement,
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

type Given = { format: BankMessage['format']; fileId: string; by: string; despiteGap: boolean | undefined }
/** Keeps a statement and the lines of it that are not known yet. Balances chain, or somebody says that it is taken all the same. */
async function addStatement(tx: Db, secrets: Secrets, account: AccountRow, statement: RawStatement, given: Given) {
  const gap = await gapBefore(tx, account, statement)
  if (gap && !given.despiteGap)
    throw new AppError('balance-gap', {
      message: `${gap} Rien n’est importé\u00a0: importez d’abord le relevé qui manque.`,
    })
  const { lines, account: _, ...told } = statement
  const { format, fileId, by: createdBy } = given
  const whose = { companyId: account.companyId, accountId: account.id }
  const values = { ...whose, ...told, gap, lines: lines.length, format, fileId, createdBy }
  const [row] = await tx.insert(bankStatements).values(values).returning()
  if (!row) throw new AppError('internal')
  return { gap, added: await addLines(tx, secrets, account, row.id, lines) }
}

/** Takes a file of a bank: whatever of it is known already changes nothing. */
export async function importMessage(
  tx: Db,
  deps: Tools,
  account: AccountRow,
  message: BankMessage,
  { upload, by, despiteGap }: Giving,
): Promise<Imported> {
  const { format } = message
  await requireAccount(tx, deps.secrets, account, message.statements)
  const counts = { statements: 0, lines: 0, known: 0 }
  const added: LineRow[] = []
  const sentences: string[] = []
  let fileId = ''
  for (const statement of message.statements) {
    const known = await knownCount(tx, account, statement.lines)
    counts.lines += statement.lines.length
    counts.known += known
    if (known > 0 ? known === statement.lines.length : await isKnown(tx, account, format, statement)) continue
    fileId ||= await keep(tx, deps, account, upload)
    const kept = await addStatement(tx, deps.secrets, account, statement, { format, fileId, by, despiteGap })
    if (kept.gap) sentences.push(kept.gap)
    counts.statements++
    added.push(...kept.added)
  }
  const certain = await postCertain(tx, deps.secrets, account, added)
  const open = added.length - certain.posted - certain.returned
  return { format, ...counts, ...certain, open, sentences }
}
