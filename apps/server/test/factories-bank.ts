import { mandates } from '@voisol/contract/mandates'
import { asc, eq } from 'drizzle-orm'
import type { Db } from '../src/db/client.ts'
import { bankAccounts, invoices, onlineEvents, onlinePayments, onlineProviders } from '../src/db/schema/index.ts'
import { addBankAccount } from '../src/features/payments/bank/index.ts'
import { postPayment } from '../src/features/payments/payments/index.ts'
import type { Actor } from '../src/http/actor.ts'
import type { createSecrets } from '../src/secrets.ts'
import { call, type TestServer } from './client.ts'
import { makeUser } from './factories.ts'
import { issueMonthDocuments, type MonthFixture, makeMonthFixture, withoutSubscribers } from './factories-invoices.ts'

/** Bank files, in the formats that banks write. */
export const OUR_IBAN = 'FR7630006000011234567890189'
export const ANNA_IBAN = 'FR1420041010050500013M02606'
export const BRUNO_IBAN = 'DE89370400440532013000'

const formatAmount = (cents: number) =>
  `${Math.floor(Math.abs(cents) / 100)}.${String(Math.abs(cents) % 100).padStart(2, '0')}`
const formatCreditDebit = (cents: number) => (cents < 0 ? 'DBIT' : 'CRDT')

type BankFilePart = {
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

const TEST_ICS = 'FR72ZZZ123456'
const PAYER_IBANS = [ANNA_IBAN, BRUNO_IBAN, 'FR7630004000031234567890143']

/** A plant whose May was invoiced to some homes, with its bank account and a signed-in manager. */
export async function makeSalesFixture(
  server: TestServer,
  { members = 2, ics = TEST_ICS, userId }: { members?: number; ics?: string; userId?: string } = {},
) {
  const admin = await makeUser(server.db)
  const { companyId } = admin
  const world = await makeMonthFixture(server.db, { companyId, members, ...(userId && { userId }) })
  await issueMonthDocuments(withoutSubscribers(server.db), world)
  const account = await makeOwnBankAccount(server, admin.companyId, { ownerId: world.seller.id, ics })
  const rows = await server.db
    .select()
    .from(invoices)
    .where(eq(invoices.companyId, companyId))
    .orderBy(asc(invoices.number))
  return { admin, auth: { token: admin.token }, companyId, world, account, invoices: rows }
}
export type SalesFixture = Awaited<ReturnType<typeof makeSalesFixture>>

type AccountInput = { ownerId: string; iban?: string; ics?: string; name?: string }
export const makeOwnBankAccount = (
  server: TestServer,
  companyId: number,
  { ownerId, iban = OUR_IBAN, ics = TEST_ICS, name = 'Compte courant' }: AccountInput,
) =>
  addBankAccount(server.db, server.app.deps.secrets, { companyId } as Actor, {
    ownerId,
    name,
    iban,
    bic: 'AGRIFRPP',
    ics,
    painVersion: '08',
  }) // the other fields of an actor are not used

/** A paper mandate for each buyer. */
export async function signAllMandates(server: TestServer, { auth, world }: SalesFixture) {
  const signed = []
  for (const [at, { participant }] of world.people.entries()) {
    const body = {
      creditorId: world.seller.id,
      participantId: participant.id,
      holder: participant.name,
      iban: PAYER_IBANS[at % PAYER_IBANS.length],
      bic: '',
      kind: 'recurrent',
      signedOn: '2026-03-18',
    }
    const { body: mandate } = await call(server, mandates.add, { body }, auth)
    signed.push(mandate)
  }
  return signed
}

/** A bank account, of its seller unless another owner is given. */
export async function insertBankAccount(db: Db, companyId: number, ownerId: string, kind: 'bank' | 'online' = 'bank') {
  const [row] = await db.insert(bankAccounts).values({ companyId, ownerId, name: 'Compte courant', kind }).returning()
  if (!row) throw new Error('nothing was inserted')
  return row
}

type PostReceiptInput = {
  amount: number
  bookedOn: string
  accountId: string | null
  at?: number
  references?: string[]
  source?: string
}
let count = 0
/** A payment of one buyer of a month to its seller. */
export const postReceipt = (
  db: Db,
  { companyId, seller, people }: MonthFixture,
  { at = 0, ...paid }: PostReceiptInput,
) =>
  postPayment(
    db,
    companyId,
    {
      sellerId: seller.id,
      buyerId: people[at]?.participant.id ?? '',
      clientSellerId: null,
      kind: 'receipt',
      method: 'transfer',
      source: `manual:${++count}`,
      ...paid,
    },
    'Camille',
  )

const requireRow = <T>([row]: T[]): T => {
  if (!row) throw new Error('nothing was inserted')
  return row
}
type Secrets = ReturnType<typeof createSecrets>

/** A provider inserted as a row, without any call. */
export async function makeOnlineProvider(
  db: Db,
  {
    companyId,
    ownerId,
    name = 'Paiement en ligne',
    secrets,
  }: { companyId: number; ownerId: string; name?: string; secrets?: Secrets },
) {
  const account = requireRow(
    await db.insert(bankAccounts).values({ companyId, ownerId, name, kind: 'online' }).returning(),
  )
  const id = crypto.randomUUID()
  const sealed = secrets?.seal('sk_test_essai0001', `online key ${companyId} ${id}`) ?? 'sealed'
  const values = {
    companyId,
    id,
    ownerId,
    environment: 'local',
    key: sealed,
    hint: '0001',
    accountId: account.id,
    account: name,
  }
  return requireRow(await db.insert(onlineProviders).values(values).returning())
}

/** A payment attempt for the first invoice of its own month. */
export async function makeOnlinePayment(
  db: Db,
  more: { companyId: number; month?: MonthFixture; secrets?: Secrets; name?: string },
) {
  const { companyId, secrets, name } = more
  const month = more.month ?? (await makeMonthFixture(db, { companyId, members: 1 }))
  const { ids } = await issueMonthDocuments(withoutSubscribers(db), month)
  const provider = await makeOnlineProvider(db, {
    companyId,
    ownerId: month.seller.id,
    ...(secrets && { secrets }),
    ...(name && { name }),
  })
  const invoiceId = ids[0] ?? ''
  const checkoutId = `cs_test_${crypto.randomUUID().replaceAll('-', '')}`
  const page = { checkoutId, url: `https://exemple.fr/${name ?? 'payer'}`, expiresAt: new Date(Date.now() + 3_600_000) }
  const values = { companyId, providerId: provider.id, invoiceId, method: 'card', amount: 413, createdBy: 'Camille' }
  const payment = requireRow(
    await db
      .insert(onlinePayments)
      .values({ ...values, ...page })
      .returning(),
  )
  return { provider, payment, invoiceId, month }
}

/** A provider message that matches no attempt. */
export async function makeUnmatchedOnlineEvent(
  db: Db,
  { companyId, ownerId, about }: { companyId: number; ownerId: string; about: string },
) {
  const { id: providerId } = await makeOnlineProvider(db, { companyId, ownerId })
  const values = { companyId, providerId, eventId: `evt_${about}`, type: 'payment_intent.succeeded', at: new Date() }
  return requireRow(
    await db
      .insert(onlineEvents)
      .values({ ...values, intentId: `pi_${about}`, fact: 'paid', amount: 413 })
      .returning(),
  )
}
