import { isSepaId, sepaAmount, sepaText } from './sepa-text.ts'
import { element as el, joined, type Xml } from './xml.ts'

export type TransferOrder = {
  endToEndId: string
  amount: number
  name: string
  iban: string
  bic: string
  text: string
}
export type TransferMessage = {
  id: string
  /** UTC, to the second. */
  createdAt: string
  executionOn: string
  debtor: { name: string; iban: string; bic: string }
  transfers: readonly TransferOrder[]
}

function requireId(id: string): string {
  if (!isSepaId(id)) throw new RangeError(`no reference a bank takes: ${id}`)
  return id
}
const account = (iban: string): Xml => el('Id', [el('IBAN', iban)])
const total = (transfers: readonly TransferOrder[]) => transfers.reduce((sum, { amount }) => sum + amount, 0)
const sums = (transfers: readonly TransferOrder[]): Xml =>
  joined([el('NbOfTxs', String(transfers.length)), el('CtrlSum', sepaAmount(total(transfers)))])

const transaction = ({ endToEndId, amount, name, iban, bic, text }: TransferOrder): Xml =>
  el('CdtTrfTxInf', [
    el('PmtId', [el('EndToEndId', requireId(endToEndId))]),
    el('Amt', [el('InstdAmt', sepaAmount(amount), { Ccy: 'EUR' })]),
    bic ? el('CdtrAgt', [el('FinInstnId', [el('BICFI', bic)])]) : null,
    el('Cdtr', [el('Nm', sepaText(name, 70))]),
    el('CdtrAcct', [account(iban)]),
    el('RmtInf', [el('Ustrd', sepaText(text, 140))]),
  ])

/** A file of credit transfers (pain.001.001.09) as a bank takes it: every sum is of what is written in it. */
export function transferFile({ id, createdAt, executionOn, debtor, transfers }: TransferMessage): string {
  const name = el('Nm', sepaText(debtor.name, 70))
  // A bank that gives no BIC is named as not provided: the IBAN says it.
  const agent = debtor.bic ? el('BICFI', debtor.bic) : el('Othr', [el('Id', 'NOTPROVIDED')])
  const head = el('GrpHdr', [
    el('MsgId', requireId(id)),
    el('CreDtTm', createdAt),
    sums(transfers),
    el('InitgPty', [name]),
  ])
  const batch = el('PmtInf', [
    el('PmtInfId', requireId(id)),
    el('PmtMtd', 'TRF'),
    el('BtchBookg', 'false'),
    sums(transfers),
    el('PmtTpInf', [el('SvcLvl', [el('Cd', 'SEPA')])]),
    el('ReqdExctnDt', [el('Dt', executionOn)]),
    el('Dbtr', [name]),
    el('DbtrAcct', [account(debtor.iban)]),
    el('DbtrAgt', [el('FinInstnId', [agent])]),
    el('ChrgBr', 'SLEV'),
    joined(transfers.map(transaction)),
  ])
  const xmlns = 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09'
  return `<?xml version="1.0" encoding="UTF-8"?>\n${el('Document', [el('CstmrCdtTrfInitn', [head, batch])], { xmlns }).markup}\n`
}
