import { getXmlAttribute, scanXml, unescapeXml } from '../scan-xml.ts'
import {
  BankFileRefusedError,
  type BankMessage,
  formatEuros,
  parseCents,
  type RawBankLine,
  type RawBankReturn,
  type RawBankStatement,
} from './bank-types.ts'

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

const getNodeDay = (node: XmlNode | undefined, path: string) =>
  (getNodeText(node, `${path}/Dt`, `${path}/DtTm`) || getNodeText(node, path)).slice(0, 10)

/** Signed cents of an amount with its side. */
function parseSignedCents(node: XmlNode | undefined, where: string): number {
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
function listEntryLines(entry: XmlNode, rank: number): RawBankLine[] {
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

type XmlNode = { name: string; attributes: string; text: string; children: XmlNode[] }

/** Above a year of the largest account, and below what a thread holds. */
const MAX_NODES = 3_000_000
const MAX_DEPTH = 40

/** A message of a bank as a tree: its entries nest, and each is read once. */
export function parseXmlTree(xml: string): XmlNode {
  if (/<!(DOCTYPE|ENTITY)/.test(xml))
    throw new BankFileRefusedError('Ce fichier XML contient une déclaration DOCTYPE, refusée par sécurité.')
  const top: XmlNode = { name: '', attributes: '', text: '', children: [] }
  const stack = [top]
  let count = 0
  scanXml(xml, {
    open(name, attributes) {
      if (++count > MAX_NODES || stack.length > MAX_DEPTH)
        throw new BankFileRefusedError(
          'Ce fichier est trop grand pour un relevé de banque\u00a0: demandez-le par période plus courte.',
        )
      const node: XmlNode = { name, attributes, text: '', children: [] }
      stack.at(-1)?.children.push(node)
      stack.push(node)
    },
    close(_, text) {
      const node = stack.pop()
      if (node && !node.children.length) node.text = unescapeXml(text).trim()
    },
  })
  const [root] = top.children
  if (!root) throw new BankFileRefusedError('Ce fichier XML est vide.')
  return root
}

const getChildren = (node: XmlNode | undefined, name: string): XmlNode[] =>
  node?.children.filter((child) => child.name === name) ?? []

/** The first one down a path: `Refs/EndToEndId`. */
function findNode(node: XmlNode | undefined, path: string): XmlNode | undefined {
  let found = node
  for (const name of path.split('/')) found = found?.children.find((child) => child.name === name)
  return found
}
/** The text of the first of several paths that has one: what a version calls otherwise. */
function getNodeText(node: XmlNode | undefined, ...paths: string[]): string {
  for (const path of paths) {
    const found = findNode(node, path)?.text
    if (found) return found
  }
  return ''
}
const getCurrency = (node: XmlNode | undefined) => (node ? getXmlAttribute(node.attributes, 'Ccy') : '')
