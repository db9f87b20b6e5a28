/** Bank files, in the formats that banks write. */
export const OUR_IBAN = 'FR7630006000011234567890189'
export const ANNA_IBAN = 'FR1420041010050500013M02606'
export const BRUNO_IBAN = 'DE89370400440532013000'

const formatAmount = (cents: number) =>
  `${Math.floor(Math.abs(cents) / 100)}.${String(Math.abs(cents) % 100).padStart(2, '0')}`
const formatCreditDebit = (cents: number) => (cents < 0 ? 'DBIT' : 'CRDT')

export type BankFilePart = {
  amount?: number
  endToEndId?: string
  rum?: string
  text?: string
  name?: string
  iban?: string
  code?: string
  charge?: number
}
export type BankFileEntry = BankFilePart & {
  amount: number
  on?: string
  reference?: string
  batchId?: string
  parts?: BankFilePart[]
  pending?: boolean
}
type CamtVersion = '02' | '08'

const buildTag = (name: string, text: string | undefined) => (text ? `<${name}>${text}</${name}>` : '')

function buildTransactionDetails(part: BankFilePart, amount: number, version: CamtVersion): string {
  const cents = part.amount ?? Math.abs(amount)
  const money =
    version === '08'
      ? `<Amt Ccy="EUR">${formatAmount(cents)}</Amt>`
      : `<AmtDtls><TxAmt><Amt Ccy="EUR">${formatAmount(cents)}</Amt></TxAmt></AmtDtls>`
  const who = amount < 0 && !part.code ? 'Cdtr' : 'Dbtr'
  const named = part.name && (version === '08' ? `<Pty><Nm>${part.name}</Nm></Pty>` : `<Nm>${part.name}</Nm>`)
  const account = part.iban && `<Id><IBAN>${part.iban}</IBAN></Id>`
  const refs = `${buildTag('EndToEndId', part.endToEndId)}${buildTag('MndtId', part.rum)}`
  const charges = part.charge ? `<Chrgs><Rcrd><Amt Ccy="EUR">${formatAmount(part.charge)}</Amt></Rcrd></Chrgs>` : ''
  const parties = `${buildTag(who, named || undefined)}${buildTag(`${who}Acct`, account || undefined)}`
  return `<TxDtls>${buildTag('Refs', refs)}${money}${charges}${buildTag('RltdPties', parties)}${buildTag('RmtInf', buildTag('Ustrd', part.text))}${
    part.code ? `<RtrInf><Rsn><Cd>${part.code}</Cd></Rsn></RtrInf>` : ''
  }</TxDtls>`
}

function buildEntry(entry: BankFileEntry, at: number, version: CamtVersion): string {
  const { amount, on = '2026-06-18', reference = `REF${at}`, batchId, parts = [entry], pending } = entry
  const state = pending ? 'PDNG' : 'BOOK'
  const batch = batchId ? `<Btch><PmtInfId>${batchId}</PmtInfId></Btch>` : ''
  const details = parts
    .map((part) =>
      buildTransactionDetails(
        part === entry ? { ...part, amount: Math.abs(amount) - (entry.charge ?? 0) } : part,
        amount,
        version,
      ),
    )
    .join('')
  return `<Ntry><Amt Ccy="EUR">${formatAmount(amount)}</Amt><CdtDbtInd>${formatCreditDebit(amount)}</CdtDbtInd><Sts>${
    version === '08' ? `<Cd>${state}</Cd>` : state
  }</Sts><BookgDt><Dt>${on}</Dt></BookgDt><AcctSvcrRef>${reference}</AcctSvcrRef><NtryDtls>${batch}${details}</NtryDtls></Ntry>`
}

const buildBalance = (code: string, cents: number, on: string) =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${formatAmount(cents)}</Amt><CdtDbtInd>${formatCreditDebit(cents)}</CdtDbtInd><Dt><Dt>${on}</Dt></Dt></Bal>`

type BankFileStatement = {
  entries: BankFileEntry[]
  iban?: string
  opening?: number
  closing?: number
  from?: string
  to?: string
  version?: CamtVersion
}
export function buildCamt053({
  entries,
  iban = OUR_IBAN,
  opening = 103_417,
  closing,
  from = '2026-06-18',
  to = from,
  version = '08',
}: BankFileStatement): Buffer {
  const sum = entries.reduce((total, { amount, pending }) => total + (pending ? 0 : amount), 0)
  const body = entries.map((entry, at) => buildEntry({ on: to, ...entry }, at, version)).join('')
  return Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.${version}"><BkToCstmrStmt><GrpHdr><MsgId>M</MsgId></GrpHdr><Stmt><Id>S-${to}</Id><FrToDt><FrDtTm>${from}T00:00:00</FrDtTm></FrToDt><Acct><Id><IBAN>${iban}</IBAN></Id></Acct>${buildBalance(
      'OPBD',
      opening,
      from,
    )}${buildBalance('CLBD', closing ?? opening + sum, to)}${body}</Stmt></BkToCstmrStmt></Document>`,
  )
}
export const buildCamt054 = (entries: BankFileEntry[]): Buffer =>
  Buffer.from(
    `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.054.001.08"><BkToCstmrDbtCdtNtfctn><Ntfctn><Id>N</Id><Acct><Id><IBAN>${OUR_IBAN}</IBAN></Id></Acct>${entries
      .map((entry, at) => buildEntry(entry, at, '08'))
      .join('')}</Ntfctn></BkToCstmrDbtCdtNtfctn></Document>`,
  )

type RefusedPart = { endToEndId: string; code: string; state?: string }
export const buildPain002 = (messageId: string, parts: RefusedPart[], group = 'PART'): Buffer =>
  Buffer.from(
    `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.03"><CstmrPmtStsRpt><GrpHdr><CreDtTm>2026-06-17T07:02:11</CreDtTm></GrpHdr><OrgnlGrpInfAndSts><OrgnlMsgId>${messageId}</OrgnlMsgId><GrpSts>${group}</GrpSts></OrgnlGrpInfAndSts>${
      parts.length
        ? `<OrgnlPmtInfAndSts><OrgnlPmtInfId>${messageId}-R</OrgnlPmtInfId>${parts
            .map(
              ({ endToEndId, code, state = 'RJCT' }) =>
                `<TxInfAndSts><OrgnlEndToEndId>${endToEndId}</OrgnlEndToEndId><TxSts>${state}</TxSts><StsRsnInf><Rsn><Cd>${code}</Cd></Rsn></StsRsnInf></TxInfAndSts>`,
            )
            .join('')}</OrgnlPmtInfAndSts>`
        : ''
    }</CstmrPmtStsRpt></Document>`,
  )
