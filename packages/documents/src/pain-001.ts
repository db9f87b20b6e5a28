import { formatSepaAmount, isSepaId, toSepaText } from './sepa-rules.ts'
import { buildElement as el, joinElements, type Xml } from './write-xml.ts'

type TransferOrder = {
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

function requireSepaId(id: string): string {
  if (!isSepaId(id)) throw new RangeError(`no reference a bank takes: ${id}`)
  return id
}
const buildAccount = (iban: string): Xml => el('Id', [el('IBAN', iban)])
const sumTransfers = (transfers: readonly TransferOrder[]) => transfers.reduce((sum, { amount }) => sum + amount, 0)
const buildSums = (transfers: readonly TransferOrder[]): Xml =>
  joinElements([el('NbOfTxs', String(transfers.length)), el('CtrlSum', formatSepaAmount(sumTransfers(transfers)))])

const buildTransaction = ({ endToEndId, amount, name, iban, bic, text }: TransferOrder): Xml =>
  el('CdtTrfTxInf', [
    el('PmtId', [el('EndToEndId', requireSepaId(endToEndId))]),
    el('Amt', [el('InstdAmt', formatSepaAmount(amount), { Ccy: 'EUR' })]),
    bic ? el('CdtrAgt', [el('FinInstnId', [el('BICFI', bic)])]) : null,
    el('Cdtr', [el('Nm', toSepaText(name, 70))]),
    el('CdtrAcct', [buildAccount(iban)]),
    el('RmtInf', [el('Ustrd', toSepaText(text, 140))]),
  ])

/** A credit transfer file (pain.001.001.09): every total is computed from its contents. */
export function buildTransferFile({ id, createdAt, executionOn, debtor, transfers }: TransferMessage): string {
  const name = el('Nm', toSepaText(debtor.name, 70))
  // Without a BIC the bank is given as NOTPROVIDED: the IBAN identifies it.
  const agent = debtor.bic ? el('BICFI', debtor.bic) : el('Othr', [el('Id', 'NOTPROVIDED')])
  const head = el('GrpHdr', [
    el('MsgId', requireSepaId(id)),
    el('CreDtTm', createdAt),
    buildSums(transfers),
    el('InitgPty', [name]),
  ])
  const batch = el('PmtInf', [
    el('PmtInfId', requireSepaId(id)),
    el('PmtMtd', 'TRF'),
    el('BtchBookg', 'false'),
    buildSums(transfers),
    el('PmtTpInf', [el('SvcLvl', [el('Cd', 'SEPA')])]),
    el('ReqdExctnDt', [el('Dt', executionOn)]),
    el('Dbtr', [name]),
    el('DbtrAcct', [buildAccount(debtor.iban)]),
    el('DbtrAgt', [el('FinInstnId', [agent])]),
    el('ChrgBr', 'SLEV'),
    joinElements(transfers.map(buildTransaction)),
  ])
  const xmlns = 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09'
  return `<?xml version="1.0" encoding="UTF-8"?>\n${el('Document', [el('CstmrCdtTrfInitn', [head, batch])], { xmlns }).markup}\n`
}
