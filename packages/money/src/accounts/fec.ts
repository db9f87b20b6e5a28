import type { Day } from '../calendar/days.ts'
import { getDocumentSign, type IssuedKind } from '../documents/document.ts'
import type { DocumentLine, VatGroup } from '../documents/document-lines.ts'

/** The fields of an issued document that the books use. */
export type BookedDocument = {
  readonly kind: IssuedKind
  readonly lines: readonly Pick<DocumentLine, 'kind' | 'net'>[]
  readonly allowances: readonly { readonly amount: number }[]
  readonly vat: readonly VatGroup[]
  readonly totals: { readonly gross: number }
}
export type SalesAccounts = { customer: string; energy: string; fees: string; accise: string; vat: string }
export const DEFAULT_SALES_ACCOUNTS: SalesAccounts = {
  customer: '411000',
  energy: '701000',
  fees: '706000',
  accise: '447000',
  vat: '44571',
}

export type FecRow = { account: string; aux: string; debit: number; credit: number }

/** A negative amount is booked on the opposite side. */
const toSignedRow = (account: string, aux: string, debit: number): FecRow => ({
  account,
  aux,
  debit: Math.max(debit, 0),
  credit: Math.max(0 - debit, 0),
})

/** The entry of a document in its seller's books: customer against sales, accise and tax by rate; balanced. */
export function buildSalesRows(
  document: BookedDocument,
  aux: string,
  accounts: SalesAccounts = DEFAULT_SALES_ACCOUNTS,
): FecRow[] {
  const sign = getDocumentSign(document.kind)
  const netOf = (kind: DocumentLine['kind']) =>
    document.lines.filter((line) => line.kind === kind).reduce((sum, { net }) => sum + net, 0)
  const allowed = document.allowances.reduce((sum, { amount }) => sum + amount, 0)
  const rate = (group: VatGroup) => `${accounts.vat}${String(group.rate).padStart(4, '0')}`
  return [
    toSignedRow(accounts.customer, aux, sign * document.totals.gross),
    toSignedRow(accounts.energy, '', -sign * (netOf('energy') - allowed)),
    toSignedRow(accounts.fees, '', -sign * netOf('fee')),
    toSignedRow(accounts.accise, '', -sign * netOf('accise')),
    ...document.vat.map((group) => toSignedRow(rate(group), '', -sign * group.tax)),
  ].filter(({ debit, credit }) => debit !== 0 || credit !== 0)
}

export const isBalanced = (rows: readonly FecRow[]): boolean =>
  rows.reduce((sum, { debit, credit }) => sum + debit - credit, 0) === 0

export type FecEntry = {
  readonly journal: { readonly code: string; readonly label: string }
  /** Continuous in its journal, from 1. */
  readonly number: number
  readonly day: Day
  readonly piece: { readonly ref: string; readonly day: Day }
  readonly label: string
  readonly validated: Day
  readonly rows: readonly (FecRow & {
    readonly accountLabel: string
    readonly auxLabel: string
    readonly lettering?: { readonly code: string; readonly day: Day }
  })[]
}
export type FecIssue =
  | { code: 'unbalanced'; journal: string; number: number }
  | { code: 'gap'; journal: string; number: number; expected: number }
  | { code: 'outOfOrder'; journal: string; number: number; day: Day }
  | { code: 'openLettering'; aux: string; lettering: string; cents: number }

/** Each entry must balance, numbers must follow the days in each journal, and lettered groups must sum to zero. */
export function checkFec(entries: readonly FecEntry[]): FecIssue[] {
  const inJournals = [...Map.groupBy(entries, ({ journal }) => journal.code)].flatMap(([journal, own]) =>
    own.flatMap(({ number, day }, at): FecIssue[] => [
      ...(number === at + 1 ? [] : [{ code: 'gap', journal, number, expected: at + 1 } as const]),
      ...(day < (own[at - 1]?.day ?? '') ? [{ code: 'outOfOrder', journal, number, day } as const] : []),
    ]),
  )
  const unbalanced = entries
    .filter(({ rows }) => !isBalanced(rows))
    .map(({ journal, number }): FecIssue => ({ code: 'unbalanced', journal: journal.code, number }))
  return [...unbalanced, ...inJournals, ...findOpenLetterings(entries)]
}

function findOpenLetterings(entries: readonly FecEntry[]): FecIssue[] {
  const lettered = entries.flatMap(({ rows }) => rows.filter(({ lettering }) => lettering))
  const groups = Map.groupBy(lettered, ({ account, aux, lettering }) => JSON.stringify([account, aux, lettering?.code]))
  return [...groups.values()].flatMap((rows): FecIssue[] => {
    const cents = rows.reduce((sum, { debit, credit }) => sum + debit - credit, 0)
    const [first] = rows
    if (!first || cents === 0) return []
    return [{ code: 'openLettering', aux: first.aux, lettering: first.lettering?.code ?? '', cents }]
  })
}

const COLUMNS =
  'JournalCode JournalLib EcritureNum EcritureDate CompteNum CompteLib CompAuxNum CompAuxLib PieceRef PieceDate EcritureLib Debit Credit EcritureLet DateLet ValidDate Montantdevise Idevise'.split(
    ' ',
  )

/** 12,34: built from the digits, so that no division rounds it. */
export function formatCommaDecimals(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0')
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)},${digits.slice(-2)}`
}
const formatCompactDay = (day: Day) => day.replaceAll('-', '')
/** A tab or a line break inside a text would shift the columns after it. */
const removeSeparators = (text: string) => text.replace(/[\t\r\n|]+/g, ' ')

export const FEC_HEADER = `${COLUMNS.join('\t')}\r\n`

/** The lines of an entry: the eighteen columns of the FEC (LPF, art. A47 A-1), separated by tabs. */
export function formatFecLines({ journal, number, day, piece, label, validated, rows }: FecEntry): string {
  const first = [journal.code, journal.label, `${number}`, formatCompactDay(day)].map(removeSeparators).join('\t')
  const from = [piece.ref, formatCompactDay(piece.day), label].map(removeSeparators).join('\t')
  return rows
    .map(({ account, accountLabel, aux, auxLabel, debit, credit, lettering }) => {
      const whose = [account, accountLabel, aux, auxLabel].map(removeSeparators).join('\t')
      const letters = lettering ? `${removeSeparators(lettering.code)}\t${formatCompactDay(lettering.day)}` : '\t'
      const sums = `${formatCommaDecimals(debit)}\t${formatCommaDecimals(credit)}`
      return `${first}\t${whose}\t${from}\t${sums}\t${letters}\t${formatCompactDay(validated)}\t\t\r\n`
    })
    .join('')
}

export const formatFec = (entries: readonly FecEntry[]): string =>
  `${FEC_HEADER}${entries.map(formatFecLines).join('')}`

export const getFecFileName = (siren: string, yearEnd: Day): string => `${siren}FEC${formatCompactDay(yearEnd)}.txt`
