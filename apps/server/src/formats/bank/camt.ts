import { getNodeDay, listEntryLines, parseSignedCents } from './entries.ts'
import { findNode, getChildren, getNodeText, type XmlNode } from './tree.ts'
import {
  BankFileRefusedError,
  type BankMessage,
  formatEuros,
  type RawBankLine,
  type RawBankReturn,
  type RawBankStatement,
} from './types.ts'

const getBalanceCode = (balance: XmlNode) => getNodeText(balance, 'Tp/CdOrPrtry/Cd')
/** The first of the codes that the statement gives. */
function findBalance(statement: XmlNode, ...codes: string[]) {
  const balances = getChildren(statement, 'Bal')
  for (const code of codes) {
    const found = balances.find((one) => getBalanceCode(one) === code)
    if (found) return { cents: parseSignedCents(found, `solde ${code}`), on: getNodeDay(found, 'Dt') }
  }
  return null
}

/** Only what is booked counts: what is announced comes again. */
const isBooked = (entry: XmlNode) => /^(BOOK)?$/.test(getNodeText(entry, 'Sts/Cd', 'Sts'))

const listBookedLines = (statement: XmlNode): RawBankLine[] =>
  getChildren(statement, 'Ntry').flatMap((entry, at) => (isBooked(entry) ? listEntryLines(entry, at + 1) : []))

function toStatement(node: XmlNode): RawBankStatement {
  const opening = findBalance(node, 'OPBD', 'PRCD')
  const closing = findBalance(node, 'CLBD')
  const reference = getNodeText(node, 'ElctrncSeqNb', 'LglSeqNb', 'Id')
  const lines = listBookedLines(node)
  if (!opening || !closing)
    throw new BankFileRefusedError(
      `Le relevé ${reference} ne dit pas ses soldes d’ouverture et de clôture\u00a0: demandez à la banque un relevé camt.053 de fin de journée.`,
    )
  const sum = lines.reduce((total, { amount }) => total + amount, 0)
  if (opening.cents + sum !== closing.cents)
    throw new BankFileRefusedError(
      `Le relevé ${reference} ne tombe pas juste\u00a0: solde d’ouverture ${formatEuros(opening.cents)} et mouvements ${formatEuros(sum)} font ${formatEuros(opening.cents + sum)}, la banque écrit ${formatEuros(closing.cents)}. Rien n’est importé\u00a0: téléchargez-le de nouveau.`,
    )
  const days = lines.map(({ bookedOn }) => bookedOn).sort()
  return {
    reference,
    account: getNodeText(node, 'Acct/Id/IBAN', 'Acct/Id/Othr/Id'),
    from: getNodeText(node, 'FrToDt/FrDtTm').slice(0, 10) || days[0] || closing.on,
    to: closing.on || days.at(-1) || null,
    opening: opening.cents,
    closing: closing.cents,
    lines,
  }
}

const listReturns = (lines: RawBankLine[]): RawBankReturn[] =>
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
export function parseCamt053(root: XmlNode): BankMessage {
  const statements = getChildren(findNode(root, 'BkToCstmrStmt'), 'Stmt').map(toStatement)
  if (!statements.length) throw new BankFileRefusedError('Ce fichier camt.053 ne contient aucun relevé.')
  return { format: 'camt.053', statements, returns: [] }
}

/** A notice of debits and credits: it tells of returns; the money of them is the statement's to tell. */
export function parseCamt054(root: XmlNode): BankMessage {
  const notices = getChildren(findNode(root, 'BkToCstmrDbtCdtNtfctn'), 'Ntfctn')
  if (!notices.length) throw new BankFileRefusedError('Ce fichier camt.054 ne contient aucun avis.')
  const statements = notices.map((node) => ({
    reference: getNodeText(node, 'Id'),
    account: getNodeText(node, 'Acct/Id/IBAN', 'Acct/Id/Othr/Id'),
    from: null,
    to: null,
    opening: null,
    closing: null,
    lines: [],
  }))
  return { format: 'camt.054', statements, returns: listReturns(notices.flatMap(listBookedLines)) }
}

const REFUSED_STATUSES = new Set(['RJCT'])

function listRefused(batch: XmlNode, messageId: string, on: string): RawBankReturn[] {
  const batchId = getNodeText(batch, 'OrgnlPmtInfId')
  const code = (node: XmlNode) => getNodeText(node, 'StsRsnInf/Rsn/Cd', 'StsRsnInf/Rsn/Prtry').slice(0, 10)
  const whole = REFUSED_STATUSES.has(getNodeText(batch, 'PmtInfSts'))
  const parts = getChildren(batch, 'TxInfAndSts')
  const refused = parts.filter((one) => REFUSED_STATUSES.has(getNodeText(one, 'TxSts')))
  if (whole && !parts.length) return [{ endToEndId: '', messageId, batchId, code: code(batch), on }]
  return refused.map((one) => ({
    endToEndId: getNodeText(one, 'OrgnlEndToEndId'),
    messageId,
    batchId,
    code: code(one),
    on,
  }))
}

/** A report on a file of ours: what it accepts is no news, what it rejects never was collected. */
export function parsePain002(root: XmlNode): BankMessage {
  const report = findNode(root, 'CstmrPmtStsRpt')
  const group = findNode(report, 'OrgnlGrpInfAndSts')
  if (!report || !group) throw new BankFileRefusedError('Ce fichier pain.002 ne dit pas de quel envoi il parle.')
  const on = getNodeText(report, 'GrpHdr/CreDtTm').slice(0, 10)
  const messageId = getNodeText(group, 'OrgnlMsgId')
  const batches = getChildren(report, 'OrgnlPmtInfAndSts')
  const returns = batches.flatMap((batch) => listRefused(batch, messageId, on))
  if (REFUSED_STATUSES.has(getNodeText(group, 'GrpSts')) && !returns.length)
    returns.push({ endToEndId: '', messageId, batchId: '', code: getNodeText(group, 'StsRsnInf/Rsn/Cd'), on })
  const empty = { account: '', from: null, to: null, opening: null, closing: null, lines: [] }
  return { format: 'pain.002', statements: [{ reference: messageId, ...empty }], returns }
}
