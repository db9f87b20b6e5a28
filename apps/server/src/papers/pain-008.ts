import { isSepaId, sepaAmount, sepaText } from './sepa-text.ts'
import { element, joined, type Xml } from './xml.ts'

export type PainVersion = '08' | '02'
export type Sequence = 'FRST' | 'RCUR' | 'OOFF' | 'FNAL'
export type DebitOrder = {
  endToEndId: string
  /** Cents. */
  amount: number
  rum: string
  signedOn: string
  name: string
  iban: string
  bic: string
  /** A town with its country, or nothing: lines of an address alone are refused since November 2026. */
  town: string
  country: string
  /** The account that the mandate was debited from before. */
  formerIban: string | null
  text: string
}
export type DebitBatch = { id: string; sequence: Sequence; collectionOn: string; debits: readonly DebitOrder[] }
export type DebitMessage = {
  version: PainVersion
  id: string
  /** UTC, to the second. */
  createdAt: string
  creditor: { name: string; ics: string; iban: string; bic: string }
  batches: readonly DebitBatch[]
}

const el = element
const total = (debits: readonly DebitOrder[]) => debits.reduce((sum, { amount }) => sum + amount, 0)

function requireId(id: string): string {
  if (!isSepaId(id)) throw new RangeError(`no reference a bank takes: ${id}`)
  return id
}

/** A bank that gives no BIC is named as not provided: the IBAN says it. */
const agent = (version: PainVersion, bic: string): Xml =>
  el('FinInstnId', [bic ? el(version === '08' ? 'BICFI' : 'BIC', bic) : el('Othr', [el('Id', 'NOTPROVIDED')])])
const account = (iban: string): Xml => el('Id', [el('IBAN', iban)])

/** The bank of an account, as far as its number tells: country and code. */
const bankOf = (iban: string) => iban.slice(0, 2) + iban.slice(4, 9)

/** At the same bank the older number is named; at another one, that it changed (SMNDA). */
function amendment({ formerIban, iban }: DebitOrder): Xml[] {
  if (formerIban === null) return [el('AmdmntInd', 'false')]
  const original =
    bankOf(formerIban) === bankOf(iban) ? account(formerIban) : el('Id', [el('Othr', [el('Id', 'SMNDA')])])
  return [el('AmdmntInd', 'true'), el('AmdmntInfDtls', [el('OrgnlDbtrAcct', [original])])]
}

function address({ town, country }: DebitOrder): Xml | null {
  const name = sepaText(town, 35)
  return name ? el('PstlAdr', [el('TwnNm', name), el('Ctry', country)]) : null
}

function transaction(version: PainVersion, debit: DebitOrder): Xml {
  return el('DrctDbtTxInf', [
    el('PmtId', [el('EndToEndId', requireId(debit.endToEndId))]),
    el('InstdAmt', sepaAmount(debit.amount), { Ccy: 'EUR' }),
    el('DrctDbtTx', [
      el('MndtRltdInf', [el('MndtId', requireId(debit.rum)), el('DtOfSgntr', debit.signedOn), ...amendment(debit)]),
    ]),
    el('DbtrAgt', [agent(version, debit.bic)]),
    el('Dbtr', [el('Nm', sepaText(debit.name, 70)), address(debit)]),
    el('DbtrAcct', [account(debit.iban)]),
    el('RmtInf', [el('Ustrd', sepaText(debit.text, 140))]),
  ])
}

const scheme = (ics: string): Xml =>
  el('CdtrSchmeId', [el('Id', [el('PrvtId', [el('Othr', [el('Id', ics), el('SchmeNm', [el('Prtry', 'SEPA')])])])])])

function batch({ version, creditor }: DebitMessage, { id, sequence, collectionOn, debits }: DebitBatch): Xml {
  return el('PmtInf', [
    el('PmtInfId', requireId(id)),
    el('PmtMtd', 'DD'),
    el('BtchBookg', 'true'),
    el('NbOfTxs', String(debits.length)),
    el('CtrlSum', sepaAmount(total(debits))),
    el('PmtTpInf', [el('SvcLvl', [el('Cd', 'SEPA')]), el('LclInstrm', [el('Cd', 'CORE')]), el('SeqTp', sequence)]),
    el('ReqdColltnDt', collectionOn),
    el('Cdtr', [el('Nm', sepaText(creditor.name, 70))]),
    el('CdtrAcct', [account(creditor.iban)]),
    el('CdtrAgt', [agent(version, creditor.bic)]),
    el('ChrgBr', 'SLEV'),
    scheme(creditor.ics),
    joined(debits.map((debit) => transaction(version, debit))),
  ])
}

/** A file of direct debits as a bank takes it: every sum is of what is written in it. */
export function debitFile(message: DebitMessage): string {
  const all = message.batches.flatMap(({ debits }) => debits)
  const head = el('GrpHdr', [
    el('MsgId', requireId(message.id)),
    el('CreDtTm', message.createdAt),
    el('NbOfTxs', String(all.length)),
    el('CtrlSum', sepaAmount(total(all))),
    el('InitgPty', [el('Nm', sepaText(message.creditor.name, 70))]),
  ])
  const body = el('CstmrDrctDbtInitn', [head, ...message.batches.map((one) => batch(message, one))])
  const xmlns = `urn:iso:std:iso:20022:tech:xsd:pain.008.001.${message.version}`
  return `<?xml version="1.0" encoding="UTF-8"?>\n${el('Document', [body], { xmlns }).markup}\n`
}
