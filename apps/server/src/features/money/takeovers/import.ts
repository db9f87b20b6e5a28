import type { TakeoverLine, TakeoverReport } from '@voisol/contract/takeovers'
import { and, eq, sql } from 'drizzle-orm'
import { handedOver } from '../../../compute/handed-over.ts'
import { findOperation } from '../../../core/operation.ts'
import type { Db } from '../../../db/client.ts'
import { invoices, participants, participations, pastDocuments } from '../../../db/schema/index.ts'
import { type Actor, nameOfActor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import type { Context } from '../../../http/route.ts'
import { sellersOf } from '../parties/parties.ts'
import { postPayment } from '../payments/payments.ts'
import type { PastLine, ReadLine } from './read.ts'

type Wanted = { operationId: string; sellerId: string; on: string; dryRun: boolean }
type Importing = Pick<Context, 'db' | 'compute' | 'signal'>
const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ').trim()

/** Those who take or took part in the operation, by name and by address; a name that two bear is nobody's. */
async function peopleOf(db: Db, companyId: number, operationId: string) {
  const rows = await db
    .selectDistinct({ id: participants.id, name: participants.name, email: participants.email })
    .from(participants)
    .innerJoin(
      participations,
      and(eq(participations.companyId, participants.companyId), eq(participations.participantId, participants.id)),
    )
    .where(and(eq(participants.companyId, companyId), eq(participations.operationId, operationId)))
  const found = new Map<string, string | null>()
  for (const { id, name, email } of rows)
    for (const said of [name, email].map(fold).filter(Boolean)) found.set(said, found.has(said) ? null : id)
  return found
}

/** Numbers that are taken: by a past document, or by one of ours. */
async function takenOf(db: Db, companyId: number, sellerId: string) {
  const past = await db
    .select({ number: pastDocuments.number, gross: pastDocuments.gross })
    .from(pastDocuments)
    .where(and(eq(pastDocuments.companyId, companyId), eq(pastDocuments.sellerId, sellerId)))
  const own = await db
    .select({ number: invoices.number })
    .from(invoices)
    .where(and(eq(invoices.companyId, companyId), eq(invoices.sellerId, sellerId)))
  return {
    past: new Map(past.map(({ number, gross }) => [number, gross])),
    own: new Set(own.map(({ number }) => number)),
  }
}

type Judged = TakeoverLine & { value: (PastLine & { buyerId: string }) | null }

function judgeWith(people: Map<string, string | null>, taken: Awaited<ReturnType<typeof takenOf>>, on: string) {
  const seen = new Set<string>()
  const refusal = (value: PastLine): string => {
    const id = people.get(fold(value.buyer))
    if (id === undefined) return 'Aucun participant de l’opération ne porte ce nom ni cette adresse.'
    if (id === null) return 'Plusieurs participants portent ce nom\u00a0: écrivez l’adresse e-mail.'
    if (taken.own.has(value.number)) return 'Ce numéro est celui d’une facture émise ici.'
    if (seen.has(value.number)) return 'Ce numéro est déjà plus haut dans le fichier.'
    return value.issuedOn > on ? 'Cette facture est postérieure à la reprise.' : ''
  }
  return ({ line, number, buyer, value, message }: ReadLine): Judged => {
    const told = { line, number, buyer, gross: value?.gross ?? null, open: value?.open ?? null }
    const why = value ? refusal(value) : message
    if (!value || why) return { ...told, outcome: 'refused', message: why, value: null }
    seen.add(value.number)
    const before = taken.past.get(value.number)
    if (before !== undefined && before !== value.gross)
      return { ...told, outcome: 'refused', message: 'Ce numéro a déjà été repris avec un autre montant.', value: null }
    if (before !== undefined) return { ...told, outcome: 'known', message: 'Déjà reprise.', value: null }
    return { ...told, outcome: 'added', message: '', value: { ...value, buyerId: people.get(fold(value.buyer)) ?? '' } }
  }
}

/** What is left of a document opens the account on the day of the takeover; its own date and number stay on it. */
async function store(tx: Db, actor: Actor, { operationId, sellerId, on }: Wanted, value: NonNullable<Judged['value']>) {
  const { companyId } = actor
  const by = nameOfActor(actor)
  const { buyer: _, ...kept } = value
  const opening =
    value.open > 0
      ? await postPayment(
          tx,
          companyId,
          {
            sellerId,
            buyerId: value.buyerId,
            clientSellerId: null,
            kind: value.kind === 'invoice' ? 'openingDebit' : 'openingCredit',
            amount: value.open,
            method: 'none',
            bookedOn: value.kind === 'invoice' ? value.dueOn : on,
            accountId: null,
            source: `takeover:${sellerId}:${value.number}`,
            note: `${value.kind === 'invoice' ? 'Facture' : 'Avoir'} ${value.number} repris${value.kind === 'invoice' ? 'e' : ''}`,
          },
          by,
        )
      : null
  await tx
    .insert(pastDocuments)
    .values({ ...kept, companyId, operationId, sellerId, paymentId: opening?.id ?? null, createdBy: by })
}

/** The lines that can be taken over are, together; the others are told. A dry run says the same and writes nothing. */
export async function importPast(
  { db: tx, compute, signal }: Importing,
  actor: Actor,
  given: Uint8Array,
  wanted: Wanted,
): Promise<TakeoverReport> {
  const { companyId } = actor
  const operation = await findOperation(tx, actor, wanted.operationId)
  if (!(await sellersOf(tx, companyId)).some(({ id }) => id === wanted.sellerId)) throw new AppError('not-found')
  const bytes = handedOver(given)
  const read = await compute('takeovers.read', bytes, { companyId, signal, moved: [bytes.buffer] })
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`takeover ${companyId}`}, 0))`)
  const people = await peopleOf(tx, companyId, operation.id)
  const judged = read.map(judgeWith(people, await takenOf(tx, companyId, wanted.sellerId), wanted.on))
  const added = judged.flatMap(({ value }) => value ?? [])
  if (!wanted.dryRun) for (const value of added) await store(tx, actor, wanted, value)
  const sum = (kind: PastLine['kind']) =>
    added.filter((one) => one.kind === kind).reduce((cents, { open }) => cents + open, 0)
  const count = (outcome: TakeoverLine['outcome']) => judged.filter((line) => line.outcome === outcome).length
  return {
    added: count('added'),
    known: count('known'),
    refused: count('refused'),
    debit: sum('invoice'),
    credit: sum('creditNote'),
    lines: judged.map(({ value: _, ...line }) => line),
  }
}
