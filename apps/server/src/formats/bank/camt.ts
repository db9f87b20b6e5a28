import { dayOf, linesOf, moneyOf } from './entries.ts'
import { all, at, type Node, text } from './tree.ts'
import { BankFileRefused, type BankMessage, type RawLine, type RawReturn, type RawStatement, said } from './types.ts'

const codeOf = (balance: Node) => text(balance, 'Tp/CdOrPrtry/Cd')
/** The first of the codes that the statement gives. */
function balanceOf(statement: Node, ...codes: string[]) {
  const balances = all(statement, 'Bal')
  for (const code of codes) {
    const found = balances.find((one) => codeOf(one) === code)
    if (found) return { cents: moneyOf(found, `solde ${code}`), on: dayOf(found, 'Dt') }
  }
  return null
}

/** Only what is booked counts: what is announced comes again. */
const isBooked = (entry: Node) => /^(BOOK)?$/.test(text(entry, 'Sts/Cd', 'Sts'))

const bookedLines = (statement: Node): RawLine[] =>
  all(statement, 'Ntry').flatMap((entry, at) => (isBooked(entry) ? linesOf(entry, at + 1) : []))

function statementOf(node: Node): RawStatement {
  const opening = balanceOf(node, 'OPBD', 'PRCD')
  const closing = balanceOf(node, 'CLBD')
  const reference = text(node, 'ElctrncSeqNb', 'LglSeqNb', 'Id')
  const lines = bookedLines(node)
  if (!opening || !closing)
    throw new BankFileRefused(
      `Le relevé ${reference} ne dit pas ses soldes d’ouverture et de clôture\u00a0: demandez à la banque un relevé camt.053 de fin de journée.`,
    )
  const sum = lines.reduce((total, { amount }) => total + amount, 0)
  if (opening.cents + sum !== closing.cents)
    throw new BankFileRefused(
      `Le relevé ${reference} ne tombe pas juste\u00a0: solde d’ouverture ${said(opening.cents)} et mouvements ${said(sum)} font ${said(opening.cents + sum)}, la banque écrit ${said(closing.cents)}. Rien n’est importé\u00a0: téléchargez-le de nouveau.`,
    )
  const days = lines.map(({ bookedOn }) => bookedOn).sort()
  return {
    reference,
    account: text(node, 'Acct/Id/IBAN', 'Acct/Id/Othr/Id'),
    from: text(node, 'FrToDt/FrDtTm').slice(0, 10) || days[0] || closing.on,
    to: closing.on || days.at(-1) || null,
    opening: opening.cents,
    closing: closing.cents,
    lines,
  }
}

const returnsOf = (lines: RawLine[]): RawReturn[] =>
  lines
    .filter(({ amount, endToEndId, returnCode }) => amount < 0 && endToEndId && returnCode)
    .map(({ endToEndId, batchId, returnCode: code, bookedOn: on }) => ({
      endToEndId,
      batchId,
      code,
      on,
      messageId: '',
    }))

/** A statement: balances, entries, batches opened. */
export function readCamt053(root: Node): BankMessage {
  const statements = all(at(root, 'BkToCstmrStmt'), 'Stmt').map(statementOf)
  if (!statements.length) throw new BankFileRefused('Ce fichier camt.053 ne contient aucun relevé.')
  return { format: 'camt.053', statements, returns: [] }
}

/** A notice of debits and credits: it tells of returns; the money of them is the statement's to tell. */
export function readCamt054(root: Node): BankMessage {
  const notices = all(at(root, 'BkToCstmrDbtCdtNtfctn'), 'Ntfctn')
  if (!notices.length) throw new BankFileRefused('Ce fichier camt.054 ne contient aucun avis.')
  const statements = notices.map((node) => ({
    reference: text(node, 'Id'),
    account: text(node, 'Acct/Id/IBAN', 'Acct/Id/Othr/Id'),
    from: null,
    to: null,
    opening: null,
    closing: null,
    lines: [],
  }))
  return { format: 'camt.054', statements, returns: returnsOf(notices.flatMap(bookedLines)) }
}

const REFUSED = new Set(['RJCT'])

function refusedIn(batch: Node, messageId: string, on: string): RawReturn[] {
  const batchId = text(batch, 'OrgnlPmtInfId')
  const code = (node: Node) => text(node, 'StsRsnInf/Rsn/Cd', 'StsRsnInf/Rsn/Prtry').slice(0, 10)
  const whole = REFUSED.has(text(batch, 'PmtInfSts'))
  const parts = all(batch, 'TxInfAndSts')
  const refused = parts.filter((one) => REFUSED.has(text(one, 'TxSts')))
  if (whole && !parts.length) return [{ endToEndId: '', messageId, batchId, code: code(batch), on }]
  return refused.map((one) => ({ endToEndId: text(one, 'OrgnlEndToEndId'), messageId, batchId, code: code(one), on }))
}

/** A report on a file of ours: what it accepts is no news, what it rejects never was collected. */
export function readPain002(root: Node): BankMessage {
  const report = at(root, 'CstmrPmtStsRpt')
  const group = at(report, 'OrgnlGrpInfAndSts')
  if (!report || !group) throw new BankFileRefused('Ce fichier pain.002 ne dit pas de quel envoi il parle.')
  const on = text(report, 'GrpHdr/CreDtTm').slice(0, 10)
  const messageId = text(group, 'OrgnlMsgId')
  const batches = all(report, 'OrgnlPmtInfAndSts')
  const returns = batches.flatMap((batch) => refusedIn(batch, messageId, on))
  if (REFUSED.has(text(group, 'GrpSts')) && !returns.length)
    returns.push({ endToEndId: '', messageId, batchId: '', code: text(group, 'StsRsnInf/Rsn/Cd'), on })
  const empty = { account: '', from: null, to: null, opening: null, closing: null, lines: [] }
  return { format: 'pain.002', statements: [{ reference: messageId, ...empty }], returns }
}
