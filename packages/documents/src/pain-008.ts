import { formatSepaAmount, isSepaId, toSepaText } from './sepa-rules.ts'
import { buildElement, joinElements, type Xml } from './write-xml.ts'

export type PainVersion = '08' | '02'
export type MandateSequence = 'FRST' | 'RCUR' | 'OOFF' | 'FNAL'
export type DebitOrder = {
  endToEndId: string
  /** Cents. */
  amount: number
  rum: string
  signedOn: string
  name: string
  iban: string
  bic: string
  /** Town and country, or nothing: unstructured address lines alone are refused since November 2026. */
  town: string
  country: string
  /** The account debited under this mandate before. */
  formerIban: string | null
  text: string
}
export type DebitBatch = { id: string; sequence: MandateSequence; collectionOn: string; debits: readonly DebitOrder[] }
export type DebitMessage = {
  version: PainVersion
  id: string
  /** UTC, to the second. */
  createdAt: string
  creditor: { name: string; ics: string; iban: string; bic: string }
  batches: readonly DebitBatch[]
}

const el = buildElement
const sumDebits = (debits: readonly DebitOrder[]) => debits.reduce((sum, { amount }) => sum + amount, 0)

function requireSepaId(id: string): string {
  if (!isSepaId(id)) throw new RangeError(`no reference a bank takes: ${id}`)
  return id
}

/** Without a BIC the bank is given as NOTPROVIDED: the IBAN identifies it. */
const buildAgent = (version: PainVersion, bic: string): Xml =>
  el('FinInstnId', [bic ? el(version === '08' ? 'BICFI' : 'BIC', bic) : el('Othr', [el('Id', 'NOTPROVIDED')])])
const buildAccount = (iban: string): Xml => el('Id', [el('IBAN', iban)])

/** The bank of an account, from its IBAN: country and bank code. */
const getBankCode = (iban: string) => iban.slice(0, 2) + iban.slice(4, 9)

/** At the same bank the former IBAN is given; at another, only that the account changed (SMNDA). */
function buildAmendment({ formerIban, iban }: DebitOrder): Xml[] {
  if (formerIban === null) return [el('AmdmntInd', 'false')]
  const original =
    getBankCode(formerIban) === getBankCode(iban)
      ? buildAccount(formerIban)
      : el('Id', [el('Othr', [el('Id', 'SMNDA')])])
  return [el('AmdmntInd', 'true'), el('AmdmntInfDtls', [el('OrgnlDbtrAcct', [original])])]
}

function buildAddress({ town, country }: DebitOrder): Xml | null {
  const name = toSepaText(town, 35)
  return name ? el('PstlAdr', [el('TwnNm', name), el('Ctry', country)]) : null
}

function buildTransaction(version: PainVersion, debit: DebitOrder): Xml {
  return el('DrctDbtTxInf', [
    el('PmtId', [el('EndToEndId', requireSepaId(debit.endToEndId))]),
    el('InstdAmt', formatSepaAmount(debit.amount), { Ccy: 'EUR' }),
    el('DrctDbtTx', [
      el('MndtRltdInf', [
        el('MndtId', requireSepaId(debit.rum)),
        el('DtOfSgntr', debit.signedOn),
        ...buildAmendment(debit),
      ]),
    ]),
    el('DbtrAgt', [buildAgent(version, debit.bic)]),
    el('Dbtr', [el('Nm', toSepaText(debit.name, 70)), buildAddress(debit)]),
    el('DbtrAcct', [buildAccount(debit.iban)]),
    el('RmtInf', [el('Ustrd', toSepaText(debit.text, 140))]),
  ])
}

const buildCreditorScheme = (ics: string): Xml =>
  el('CdtrSchmeId', [el('Id', [el('PrvtId', [el('Othr', [el('Id', ics), el('SchmeNm', [el('Prtry', 'SEPA')])])])])])

function buildBatch({ version, creditor }: DebitMessage, { id, sequence, collectionOn, debits }: DebitBatch): Xml {
  return el('PmtInf', [
    el('PmtInfId', requireSepaId(id)),
    el('PmtMtd', 'DD'),
    el('BtchBookg', 'true'),
    el('NbOfTxs', String(debits.length)),
    el('CtrlSum', formatSepaAmount(sumDebits(debits))),
    el('PmtTpInf', [el('SvcLvl', [el('Cd', 'SEPA')]), el('LclInstrm', [el('Cd', 'CORE')]), el('SeqTp', sequence)]),
    el('ReqdColltnDt', collectionOn),
    el('Cdtr', [el('Nm', toSepaText(creditor.name, 70))]),
    el('CdtrAcct', [buildAccount(creditor.iban)]),
    el('CdtrAgt', [buildAgent(version, creditor.bic)]),
    el('ChrgBr', 'SLEV'),
    buildCreditorScheme(creditor.ics),
    joinElements(debits.map((debit) => buildTransaction(version, debit))),
  ])
}

/** A direct debit file (pain.008): every total is computed from its contents. */
export function buildDebitFile(message: DebitMessage): string {
  const all = message.batches.flatMap(({ debits }) => debits)
  const head = el('GrpHdr', [
    el('MsgId', requireSepaId(message.id)),
    el('CreDtTm', message.createdAt),
    el('NbOfTxs', String(all.length)),
    el('CtrlSum', formatSepaAmount(sumDebits(all))),
    el('InitgPty', [el('Nm', toSepaText(message.creditor.name, 70))]),
  ])
  const body = el('CstmrDrctDbtInitn', [head, ...message.batches.map((one) => buildBatch(message, one))])
  const xmlns = `urn:iso:std:iso:20022:tech:xsd:pain.008.001.${message.version}`
  return `<?xml version="1.0" encoding="UTF-8"?>\n${el('Document', [body], { xmlns }).markup}\n`
}
