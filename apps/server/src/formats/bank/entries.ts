import { findNode, getChildren, getCurrency, getNodeText, type XmlNode } from './tree.ts'
import { BankFileRefusedError, parseCents, type RawBankLine } from './types.ts'

export const getNodeDay = (node: XmlNode | undefined, path: string) =>
  (getNodeText(node, `${path}/Dt`, `${path}/DtTm`) || getNodeText(node, path)).slice(0, 10)

/** Signed cents of an amount with its side. */
export function parseSignedCents(node: XmlNode | undefined, where: string): number {
  const amount = findNode(node, 'Amt')
  const cents = parseCents(amount?.text ?? '')
  if (cents === null)
    throw new BankFileRefusedError(`Le montant «\u00a0${amount?.text ?? ''}\u00a0» de ${where} n’est pas lisible.`)
  const currency = getCurrency(amount)
  if (currency && currency !== 'EUR')
    throw new BankFileRefusedError(`Ce relevé est en ${currency}\u00a0: seuls les comptes en euros sont tenus.`)
  const side = getNodeText(node, 'CdtDbtInd')
  if (side !== 'CRDT' && side !== 'DBIT')
    throw new BankFileRefusedError(`Le sens de ${where} n’est ni crédit ni débit.`)
  return side === 'CRDT' ? cents : -cents
}

const joinUnique = (parts: string[]) => [...new Set(parts.map((part) => part.trim()).filter(Boolean))].join(' ')
/** A bank writes NOTPROVIDED where a reference is asked for and there is none. */
const dropPlaceholder = (id: string) => (/^(NOTPROVIDED|NONREF|NON PRECISE)$/i.test(id) ? '' : id)

function getEntryLabel(details: XmlNode | undefined, entry: XmlNode): string {
  const remittance = findNode(details, 'RmtInf')
  const structured = getChildren(remittance, 'Strd').map((part) => getNodeText(part, 'CdtrRefInf/Ref'))
  return joinUnique([
    ...getChildren(remittance, 'Ustrd').map((part) => part.text),
    ...structured,
    getNodeText(details, 'AddtlTxInf'),
    getNodeText(entry, 'AddtlNtryInf'),
  ]).slice(0, 1000)
}

/** Who is on the other side: of money that came in the payer, of money that went out the payee; of a returned debit, its debtor. */
function getParty(details: XmlNode | undefined, incoming: boolean) {
  const parties = findNode(details, 'RltdPties')
  const [first, second] = incoming || getNodeText(details, 'RtrInf/Rsn/Cd') ? ['Dbtr', 'Cdtr'] : ['Cdtr', 'Dbtr']
  const who = findNode(parties, first) ? first : second
  return {
    party: getNodeText(parties, `${who}/Nm`, `${who}/Pty/Nm`, `Ultmt${who}/Nm`).slice(0, 200),
    partyIban: getNodeText(parties, `${who}Acct/Id/IBAN`),
  }
}

const sumCharges = (details: XmlNode | undefined) =>
  getChildren(findNode(details, 'Chrgs'), 'Rcrd').reduce(
    (sum, one) => sum + (parseCents(getNodeText(one, 'Amt')) ?? 0),
    0,
  ) ||
  (parseCents(getNodeText(details, 'Chrgs/TtlChrgsAndTaxAmt', 'Chrgs/Amt')) ?? 0)

const parseDetailAmount = (details: XmlNode) =>
  parseCents(getNodeText(details, 'Amt', 'AmtDtls/TxAmt/Amt', 'AmtDtls/InstdAmt/Amt'))

type EntryBase = Pick<RawBankLine, 'bookedOn' | 'reference' | 'batchId'>
function toBankLine(
  entry: XmlNode,
  details: XmlNode | undefined,
  base: EntryBase,
  amount: number,
  charge: number,
): RawBankLine {
  return {
    ...base,
    amount,
    charge,
    part: '',
    label: getEntryLabel(details, entry),
    ...getParty(details, amount > 0),
    endToEndId: dropPlaceholder(getNodeText(details, 'Refs/EndToEndId')),
    rum: dropPlaceholder(getNodeText(details, 'Refs/MndtId')),
    batchId: dropPlaceholder(getNodeText(details, 'Refs/PmtInfId')) || base.batchId,
    returnCode: getNodeText(details, 'RtrInf/Rsn/Cd', 'RtrInf/Rsn/Prtry').slice(0, 10),
  }
}

/**
 * The movements of an entry. A batch is opened where its parts say their amounts and, with what the bank kept, make the
 * entry; otherwise it stays one movement.
 */
export function listEntryLines(entry: XmlNode, rank: number): RawBankLine[] {
  const where = `l’écriture n°\u00a0${rank}`
  const amount = parseSignedCents(entry, where)
  if (amount === 0) return []
  const bookedOn = getNodeDay(entry, 'BookgDt') || getNodeDay(entry, 'ValDt')
  if (!/^\d{4}-\d\d-\d\d$/.test(bookedOn)) throw new BankFileRefusedError(`Le jour de ${where} manque.`)
  const groups = getChildren(entry, 'NtryDtls')
  const details = groups.flatMap((group) => getChildren(group, 'TxDtls'))
  const batchId = dropPlaceholder(groups.map((group) => getNodeText(group, 'Btch/PmtInfId')).find(Boolean) ?? '')
  const base = { bookedOn, batchId, reference: getNodeText(entry, 'AcctSvcrRef', 'NtryRef') }
  const sign = Math.sign(amount)
  const parts = details.map((one) => ({ one, cents: parseDetailAmount(one), charge: sumCharges(one) }))
  const sum = parts.reduce((total, { cents }) => total + (cents ?? 0), 0)
  const charges = parts.reduce((total, { charge }) => total + charge, 0)
  const gap = Math.abs(amount) - sum
  if (details.length > 1 && parts.every(({ cents }) => cents) && (gap === 0 || Math.abs(gap) === charges))
    return parts.map(({ one, cents, charge }, at) => {
      const own = gap === 0 ? 0 : Math.sign(gap) * charge
      const line = toBankLine(entry, one, base, sign * ((cents ?? 0) + own), Math.abs(own))
      return { ...line, part: getNodeText(one, 'Refs/TxId', 'Refs/AcctSvcrRef') || line.endToEndId || String(at + 1) }
    })
  const [only] = details
  const single = details.length === 1 && only
  const charge = single && sum > 0 && Math.abs(gap) <= charges ? Math.abs(gap) : 0
  return [toBankLine(entry, single || undefined, base, amount, charge)]
}
