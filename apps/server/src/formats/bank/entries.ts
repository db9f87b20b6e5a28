import { all, at, currencyOf, type Node, text } from './tree.ts'
import { BankFileRefused, centsOf, type RawLine } from './types.ts'

export const dayOf = (node: Node | undefined, path: string) =>
  (text(node, `${path}/Dt`, `${path}/DtTm`) || text(node, path)).slice(0, 10)

/** Signed cents of an amount with its side. */
export function moneyOf(node: Node | undefined, where: string): number {
  const amount = at(node, 'Amt')
  const cents = centsOf(amount?.text ?? '')
  if (cents === null)
    throw new BankFileRefused(`Le montant «\u00a0${amount?.text ?? ''}\u00a0» de ${where} n’est pas lisible.`)
  const currency = currencyOf(amount)
  if (currency && currency !== 'EUR')
    throw new BankFileRefused(`Ce relevé est en ${currency}\u00a0: seuls les comptes en euros sont tenus.`)
  const side = text(node, 'CdtDbtInd')
  if (side !== 'CRDT' && side !== 'DBIT') throw new BankFileRefused(`Le sens de ${where} n’est ni crédit ni débit.`)
  return side === 'CRDT' ? cents : -cents
}

const join = (parts: string[]) => [...new Set(parts.map((part) => part.trim()).filter(Boolean))].join(' ')
/** A bank writes NOTPROVIDED where a reference is asked for and there is none. */
const given = (id: string) => (/^(NOTPROVIDED|NONREF|NON PRECISE)$/i.test(id) ? '' : id)

function wordsOf(details: Node | undefined, entry: Node): string {
  const remittance = at(details, 'RmtInf')
  const structured = all(remittance, 'Strd').map((part) => text(part, 'CdtrRefInf/Ref'))
  return join([
    ...all(remittance, 'Ustrd').map((part) => part.text),
    ...structured,
    text(details, 'AddtlTxInf'),
    text(entry, 'AddtlNtryInf'),
  ]).slice(0, 1000)
}

/** Who is on the other side: of money that came in the payer, of money that went out the payee; of a returned debit, its debtor. */
function partyOf(details: Node | undefined, incoming: boolean) {
  const parties = at(details, 'RltdPties')
  const [first, second] = incoming || text(details, 'RtrInf/Rsn/Cd') ? ['Dbtr', 'Cdtr'] : ['Cdtr', 'Dbtr']
  const who = at(parties, first) ? first : second
  return {
    party: text(parties, `${who}/Nm`, `${who}/Pty/Nm`, `Ultmt${who}/Nm`).slice(0, 200),
    partyIban: text(parties, `${who}Acct/Id/IBAN`),
  }
}

const chargesOf = (details: Node | undefined) =>
  all(at(details, 'Chrgs'), 'Rcrd').reduce((sum, one) => sum + (centsOf(text(one, 'Amt')) ?? 0), 0) ||
  (centsOf(text(details, 'Chrgs/TtlChrgsAndTaxAmt', 'Chrgs/Amt')) ?? 0)

const amountOf = (details: Node) => centsOf(text(details, 'Amt', 'AmtDtls/TxAmt/Amt', 'AmtDtls/InstdAmt/Amt'))

type Base = Pick<RawLine, 'bookedOn' | 'reference' | 'batchId'>
function lineOf(entry: Node, details: Node | undefined, base: Base, amount: number, charge: number): RawLine {
  return {
    ...base,
    amount,
    charge,
    part: '',
    label: wordsOf(details, entry),
    ...partyOf(details, amount > 0),
    endToEndId: given(text(details, 'Refs/EndToEndId')),
    rum: given(text(details, 'Refs/MndtId')),
    batchId: given(text(details, 'Refs/PmtInfId')) || base.batchId,
    returnCode: text(details, 'RtrInf/Rsn/Cd', 'RtrInf/Rsn/Prtry').slice(0, 10),
  }
}

/**
 * The movements of an entry. A batch is opened where its parts say their amounts and, with what the bank kept, make the
 * entry; otherwise it stays one movement.
 */
export function linesOf(entry: Node, rank: number): RawLine[] {
  const where = `l’écriture n°\u00a0${rank}`
  const amount = moneyOf(entry, where)
  if (amount === 0) return []
  const bookedOn = dayOf(entry, 'BookgDt') || dayOf(entry, 'ValDt')
  if (!/^\d{4}-\d\d-\d\d$/.test(bookedOn)) throw new BankFileRefused(`Le jour de ${where} manque.`)
  const groups = all(entry, 'NtryDtls')
  const details = groups.flatMap((group) => all(group, 'TxDtls'))
  const batchId = given(groups.map((group) => text(group, 'Btch/PmtInfId')).find(Boolean) ?? '')
  const base = { bookedOn, batchId, reference: text(entry, 'AcctSvcrRef', 'NtryRef') }
  const sign = Math.sign(amount)
  const parts = details.map((one) => ({ one, cents: amountOf(one), charge: chargesOf(one) }))
  const sum = parts.reduce((total, { cents }) => total + (cents ?? 0), 0)
  const charges = parts.reduce((total, { charge }) => total + charge, 0)
  const gap = Math.abs(amount) - sum
  if (details.length > 1 && parts.every(({ cents }) => cents) && (gap === 0 || Math.abs(gap) === charges))
    return parts.map(({ one, cents, charge }, at) => {
      const own = gap === 0 ? 0 : Math.sign(gap) * charge
      const line = lineOf(entry, one, base, sign * ((cents ?? 0) + own), Math.abs(own))
      return { ...line, part: text(one, 'Refs/TxId', 'Refs/AcctSvcrRef') || line.endToEndId || String(at + 1) }
    })
  const [only] = details
  const single = details.length === 1 && only
  const charge = single && sum > 0 && Math.abs(gap) <= charges ? Math.abs(gap) : 0
  return [lineOf(entry, single || undefined, base, amount, charge)]
}
