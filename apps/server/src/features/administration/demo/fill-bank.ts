import { addDays } from '@voisol/energy/calendar'
import { targetDayFrom, targetDaysBefore } from '@voisol/money/target'
import { and, eq, inArray } from 'drizzle-orm'
import { keepFile } from '../../../core/kept-files.ts'
import { type Db, forCompany, transaction } from '../../../db/client.ts'
import { debitInvoices, debitRuns, debits, mandates } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { RawLine } from '../../../formats/bank/types.ts'
import { type Actor, nameOfActor } from '../../../http/actor.ts'
import { debitFile } from '../../../papers/pain-008.ts'
import {
  type AccountRow,
  accountOf,
  accountsOf,
  addAccount,
  importMessage,
  openAccountIban,
} from '../../money/bank/bank.ts'
import { insertMandate } from '../../money/mandates/mandates.ts'
import { buyersOf, type SellerRow, sellersOf } from '../../money/parties/parties.ts'
import { type OpenItem, openItems } from '../../money/payments/payments.ts'
import { ibanOf } from './iban.ts'

const MANDATES = 9
/** Transfers that the bank has told of and that wait for a person. */
const WAITING = 2
/** Whose last invoice is left to the bank: one whose debit came back, and those who wait on a statement. */
export const LEFT_TO_BANK = 1 + WAITING
const OPENING = 431_287
/** The second is the organiser's: two accounts of one name could not be told apart where one is chosen. */
const NAMES = ['Compte des ventes', 'Compte de gestion']
/** Of the Banque de France, for nobody. */
const ICS = ['FR72ZZZ123456', 'FR19ZZZ654321']

type Work = { deps: Deps; tx: Db; actor: Actor }
type Debited = {
  id: string
  mandateId: string
  rum: string
  name: string
  iban: string
  endToEndId: string
  items: OpenItem[]
  amount: number
}

async function openAccount(
  { deps, tx, actor }: Work,
  { id: ownerId, name }: SellerRow,
  at: number,
): Promise<AccountRow> {
  const about = { name: NAMES[at] ?? '', bic: 'AGRIFRPP', ics: ICS[at] ?? '', painVersion: '08' as const }
  const { id } = await addAccount(tx, deps.secrets, actor, { ...about, ownerId, iban: ibanOf(name) })
  return accountOf(tx, actor.companyId, id)
}

/** Some of those who owe this seller signed a mandate, and are debited. */
async function sign(
  { deps, tx, actor }: Work,
  account: AccountRow,
  owed: Map<string, OpenItem[]>,
  signedOn: string,
  run: string,
) {
  const { companyId } = actor
  const buyers = await buyersOf(tx, companyId, [...owed.keys()])
  const signed: Debited[] = []
  for (const [at, [participantId, items]] of [...owed].slice(0, MANDATES).entries()) {
    const name = buyers.get(participantId)?.name ?? ''
    const iban = ibanOf(`debtor ${participantId}`)
    const rum = `TILLEULS-${String(at + 1).padStart(4, '0')}`
    const values = {
      creditorId: account.ownerId,
      participantId,
      rum,
      holder: name.slice(0, 70),
      signedOn,
      method: 'import',
    }
    const { id: mandateId } = await insertMandate(tx, deps.secrets, companyId, iban, {
      ...values,
      createdBy: nameOfActor(actor),
    })
    const [oldest] = items
    if (oldest) {
      const debited = { id: crypto.randomUUID(), mandateId, rum, name, iban, endToEndId: `${run}-${at + 1}` }
      signed.push({ ...debited, items: [oldest], amount: oldest.open })
    }
  }
  return signed
}

/** A run of the past, as it was sent. */
async function send({ deps, tx, actor }: Work, account: AccountRow, run: string, collectionOn: string, all: Debited[]) {
  const { companyId } = actor
  const batchId = `${run}-R`
  const orders = all.map(({ endToEndId, amount, rum, name, iban, items }) => ({
    endToEndId,
    amount,
    rum,
    name,
    iban,
    signedOn: addDays(collectionOn, -200),
    bic: '',
    town: 'Lyon',
    country: 'FR',
    formerIban: null,
    text: items.map(({ number }) => number).join(' '),
  }))
  const { owner, ics, bic } = account
  const creditor = { name: owner, ics, bic, iban: openAccountIban(deps.secrets, account) ?? '' }
  const batches = [{ id: batchId, sequence: 'RCUR' as const, collectionOn, debits: orders }]
  const xml = debitFile({
    version: '08',
    id: run,
    createdAt: `${addDays(collectionOn, -2)}T08:00:00Z`,
    creditor,
    batches,
  })
  const content = new TextEncoder().encode(xml)
  const file = await keepFile(tx, deps.files, companyId, {
    name: `prelevement-${collectionOn}.xml`,
    mediaType: 'application/xml',
    content,
  })
  const runId = crypto.randomUUID()
  const submitBy = targetDaysBefore(collectionOn, 1)
  const state = {
    status: 'sent',
    fileId: file.id,
    filedAt: new Date(),
    sentOn: submitBy,
    createdBy: nameOfActor(actor),
  }
  await tx
    .insert(debitRuns)
    .values({ companyId, id: runId, accountId: account.id, collectionOn, submitBy, messageId: run, ...state })
  for (const { id, mandateId, endToEndId, amount, items } of all) {
    await tx
      .insert(debits)
      .values({ companyId, id, runId, mandateId, endToEndId, amount, batchId, status: 'sent', noticedAt: new Date() })
    const links = items.map(({ id: invoiceId, open }) => ({ companyId, debitId: id, invoiceId, amount: open }))
    await tx.insert(debitInvoices).values(links)
  }
  const used = all.map(({ mandateId }) => mandateId)
  await tx
    .update(mandates)
    .set({ firstDebitOn: collectionOn, lastDebitOn: collectionOn })
    .where(and(eq(mandates.companyId, companyId), inArray(mandates.id, used)))
}

const line = (bookedOn: string, amount: number, more: Partial<RawLine>): RawLine => ({
  bookedOn,
  amount,
  charge: 0,
  part: '',
  reference: '',
  label: '',
  party: '',
  partyIban: '',
  endToEndId: '',
  rum: '',
  batchId: '',
  returnCode: '',
  ...more,
})

type Told = { reference: string; from: string; to: string; opening: number; lines: RawLine[] }
const closingOf = ({ opening, lines }: Told) => lines.reduce((sum, { amount }) => sum + amount, opening)

async function importTold({ deps, tx, actor }: Work, account: AccountRow, told: Told) {
  const { reference, to } = told
  const upload = { name: `releve-${to}.txt`, content: new TextEncoder().encode(`Relevé ${reference} du ${to}`) }
  const statement = { ...told, account: '', closing: closingOf(told) }
  const message = { format: 'camt.053' as const, statements: [statement], returns: [] }
  await importMessage(tx, deps, account, message, { upload, by: nameOfActor(actor) })
}

/** What the bank told of the debits, one by one: all but one were paid. */
function ofDebits(collectionOn: string, all: Debited[]): Told {
  const back = all.at(-1)
  const after = targetDayFrom(addDays(collectionOn, 2))
  const lines = all.map(({ endToEndId, amount, rum }) =>
    line(collectionOn, amount, { endToEndId, rum, reference: endToEndId, label: 'PRELEVEMENT' }),
  )
  const rejected =
    back &&
    line(after, -back.amount - 350, {
      charge: 350,
      endToEndId: back.endToEndId,
      reference: 'REJ1',
      label: 'REJET DE PRELEVEMENT',
      party: back.name,
      returnCode: 'AM04',
    })
  return {
    reference: '42',
    from: collectionOn,
    to: after,
    opening: OPENING,
    lines: rejected ? [...lines, rejected] : lines,
  }
}

/** What it told since, up to yesterday: movements that wait for a person. */
async function since({ tx, actor }: Work, before: Told, today: string, others: OpenItem[]): Promise<Told> {
  const to = addDays(today, -1)
  const buyers = await buyersOf(
    tx,
    actor.companyId,
    others.flatMap(({ buyerId }) => buyerId ?? []),
  )
  const waiting = others.slice(0, WAITING).map((item, at) =>
    line(to, at === 1 ? Math.ceil(item.open / 2) : item.open, {
      reference: `VIR${at}`,
      label: at === 1 ? `VIREMENT FACTURE ${item.number}` : 'VIREMENT RECU ELECTRICITE',
      party: (buyers.get(item.buyerId ?? '')?.name ?? '').toUpperCase(),
    }),
  )
  const lines = [
    ...waiting,
    line(to, 12_500, { reference: 'VIR9', label: 'VIREMENT SANS REFERENCE', party: 'MME GARNIER' }),
    line(to, -1250, { reference: 'FRAIS', label: 'FRAIS DE TENUE DE COMPTE' }),
  ]
  return { reference: '43', from: addDays(before.to, 1), to, opening: closingOf(before), lines }
}

/** The bank of the seller who is owed most, and of the organiser: called again, it finds its accounts and leaves all as it is. */
export const fillBank = (deps: Deps, actor: Actor, today: string) =>
  transaction(forCompany(deps.db, actor.companyId), async (tx) => {
    const { companyId } = actor
    if ((await accountsOf(tx, companyId)).length) return
    const sellers = await sellersOf(tx, companyId)
    const owing = new Map<SellerRow, OpenItem[]>()
    for (const seller of sellers.filter(({ participantId }) => participantId !== null)) {
      const items = await openItems(tx, companyId, { sellerId: seller.id })
      owing.set(
        seller,
        items.filter(
          ({ of, side, buyerId, due }) => of === 'invoice' && side === 'debit' && buyerId && due < addDays(today, -5),
        ),
      )
    }
    const [first] = [...owing].sort(([, a], [, b]) => b.length - a.length)
    if (!first?.[1].length) return
    const work = { deps, tx, actor }
    const account = await openAccount(work, first[0], 0)
    const organiser = sellers.find(({ participantId }) => participantId === null)
    // A producer may bear the organiser's name, and then has its account.
    const apart = organiser && organiser.id !== first[0].id && organiser.name !== first[0].name
    if (apart) await openAccount(work, organiser, 1)
    const latest = first[1].reduce((last, { due }) => (due > last ? due : last), '')
    const due = first[1].filter((item) => item.due === latest)
    const collectionOn = targetDayFrom(latest)
    const run = `VS${companyId}-${collectionOn.replaceAll('-', '')}-DEMO`
    const owed = Map.groupBy(due, ({ buyerId }) => buyerId ?? '')
    const all = await sign(work, account, owed, addDays(collectionOn, -200), run)
    if (!all.length) return
    await send(work, account, run, collectionOn, all)
    const debited = new Set(all.flatMap(({ items }) => items.map(({ id }) => id)))
    const told = ofDebits(collectionOn, all)
    await importTold(work, account, told)
    const others = due.filter(({ id }) => !debited.has(id))
    if (told.to < addDays(today, -1)) await importTold(work, account, await since(work, told, today, others))
  })
