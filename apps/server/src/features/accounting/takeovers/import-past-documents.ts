import type { TakeoverLine, TakeoverReport } from '@voisol/contract/takeovers'
import { and, eq, sql } from 'drizzle-orm'
import { requireVisibleOperation } from '../../../core/access-scopes.ts'
import type { Db } from '../../../db/client.ts'
import { invoices, participants, participations, pastDocuments } from '../../../db/schema/index.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import type { RouteContext } from '../../../http/route.ts'
import { copyForTransfer } from '../../../workers/task.ts'
import { loadSellers } from '../../billing/parties/index.ts'
import { postPayment } from '../../payments/payments/index.ts'
import type { ParsedPastLine, PastDocumentLine } from './past-document-file.ts'

type ImportPastDocumentsInput = { operationId: string; sellerId: string; on: string; dryRun: boolean }
type ImportPastContext = Pick<RouteContext, 'db' | 'compute' | 'signal'>
const normalizeName = (text: string) =>
  text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ').trim()

/** Past and present members of the operation by name and e-mail; an ambiguous name matches nobody. */
async function loadParticipantIds(db: Db, companyId: number, operationId: string) {
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
    for (const nameOrEmail of [name, email].map(normalizeName).filter(Boolean))
      found.set(nameOrEmail, found.has(nameOrEmail) ? null : id)
  return found
}

/** Numbers already used by a past document or one of ours. */
async function loadTakenNumbers(db: Db, companyId: number, sellerId: string) {
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

type CheckedLine = TakeoverLine & { value: (PastDocumentLine & { buyerId: string }) | null }

function createLineChecker(
  people: Map<string, string | null>,
  taken: Awaited<ReturnType<typeof loadTakenNumbers>>,
  on: string,
) {
  const seen = new Set<string>()
  const refusal = (value: PastDocumentLine): string => {
    const id = people.get(normalizeName(value.buyer))
    if (id === undefined) return 'Aucun participant de l’opération ne porte ce nom ni cette adresse.'
    if (id === null) return 'Plusieurs participants portent ce nom\u00a0: écrivez l’adresse e-mail.'
    if (taken.own.has(value.number)) return 'Ce numéro est celui d’une facture émise ici.'
    if (seen.has(value.number)) return 'Ce numéro est déjà plus haut dans le fichier.'
    return value.issuedOn > on ? 'Cette facture est postérieure à la reprise.' : ''
  }
  return ({ line, number, buyer, value, message }: ParsedPastLine): CheckedLine => {
    const lineReport = { line, number, buyer, gross: value?.gross ?? null, open: value?.open ?? null }
    const why = value ? refusal(value) : message
    if (!value || why) return { ...lineReport, outcome: 'refused', message: why, value: null }
    seen.add(value.number)
    const before = taken.past.get(value.number)
    if (before !== undefined && before !== value.gross)
      return {
        ...lineReport,
        outcome: 'refused',
        message: 'Ce numéro a déjà été repris avec un autre montant.',
        value: null,
      }
    if (before !== undefined) return { ...lineReport, outcome: 'known', message: 'Déjà reprise.', value: null }
    return {
      ...lineReport,
      outcome: 'added',
      message: '',
      value: { ...value, buyerId: people.get(normalizeName(value.buyer)) ?? '' },
    }
  }
}

/** The open amount of a past document is posted on the day of the takeover, with its own date and number kept on it. */
async function storePastDocument(
  tx: Db,
  actor: Actor,
  { operationId, sellerId, on }: ImportPastDocumentsInput,
  value: NonNullable<CheckedLine['value']>,
) {
  const { companyId } = actor
  const by = formatActorName(actor)
  const { buyer: _, ...values } = value
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
    .values({ ...values, companyId, operationId, sellerId, paymentId: opening?.id ?? null, createdBy: by })
}

/** Imports all valid lines together and reports the others. A dry run gives the same result and writes nothing. */
export async function importPastDocuments(
  { db: tx, compute, signal }: ImportPastContext,
  actor: Actor,
  upload: Uint8Array,
  input: ImportPastDocumentsInput,
): Promise<TakeoverReport> {
  const { companyId } = actor
  const operation = await requireVisibleOperation(tx, actor, input.operationId)
  if (!(await loadSellers(tx, companyId)).some(({ id }) => id === input.sellerId)) throw new AppError('not-found')
  const bytes = copyForTransfer(upload)
  const read = await compute('takeovers.read', bytes, { companyId, signal, moved: [bytes.buffer] })
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`takeover ${companyId}`}, 0))`)
  const people = await loadParticipantIds(tx, companyId, operation.id)
  const checkedLines = read.map(
    createLineChecker(people, await loadTakenNumbers(tx, companyId, input.sellerId), input.on),
  )
  const added = checkedLines.flatMap(({ value }) => value ?? [])
  if (!input.dryRun) for (const value of added) await storePastDocument(tx, actor, input, value)
  const sum = (kind: PastDocumentLine['kind']) =>
    added.filter((one) => one.kind === kind).reduce((cents, { open }) => cents + open, 0)
  const count = (outcome: TakeoverLine['outcome']) => checkedLines.filter((line) => line.outcome === outcome).length
  return {
    added: count('added'),
    known: count('known'),
    refused: count('refused'),
    debit: sum('invoice'),
    credit: sum('creditNote'),
    lines: checkedLines.map(({ value: _, ...line }) => line),
  }
}
