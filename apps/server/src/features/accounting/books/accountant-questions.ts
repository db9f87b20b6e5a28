import type { BookQuestion } from '@voisol/contract/book-views'
import type { NewNote } from '@voisol/contract/books'
import { and, asc, eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { bookEntries, bookNotes, invoices, payments, sellers } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { notify } from '../../identity/notifications/index.ts'
import type { Entity } from './book-entity.ts'

type Note = typeof bookNotes.$inferSelect
type NoteKind = 'question' | 'answer' | 'settled'
const notesOfEntitySql = ({ companyId, id }: Entity) =>
  and(eq(bookNotes.companyId, companyId), eq(bookNotes.sellerId, id))
const toNoteView = ({ id, kind, text, author, createdAt }: Note) => ({
  id,
  // The column only stores these values.
  kind: kind as NoteKind,
  text,
  author,
  at: createdAt.toISOString(),
})

export async function listNotes(db: Db, entity: Entity, source: string) {
  const rows = await db
    .select()
    .from(bookNotes)
    .where(and(notesOfEntitySql(entity), eq(bookNotes.source, source)))
    .orderBy(asc(bookNotes.createdAt), asc(bookNotes.id))
  return rows.map(toNoteView)
}

/** A question waits until somebody writes after it. */
const isWaitingForAnswer = (notes: readonly { kind: string }[]) => notes.at(-1)?.kind === 'question'

export async function countNotesBySource(db: Db, entity: Entity) {
  const rows = await db
    .select()
    .from(bookNotes)
    .where(notesOfEntitySql(entity))
    .orderBy(asc(bookNotes.createdAt), asc(bookNotes.id))
  const notesBySource = Map.groupBy(rows, ({ source }) => source)
  return new Map(
    [...notesBySource].map(([source, notes]) => [source, { notes: notes.length, asked: isWaitingForAnswer(notes) }]),
  )
}

/** Questions of the accountant that nobody has answered, for all entities. */
export async function listOpenQuestions(db: Db, companyId: number): Promise<BookQuestion[]> {
  const rows = await db
    .select({ note: bookNotes, seller: sellers.name })
    .from(bookNotes)
    .innerJoin(sellers, and(eq(sellers.companyId, bookNotes.companyId), eq(sellers.id, bookNotes.sellerId)))
    .where(eq(bookNotes.companyId, companyId))
    .orderBy(asc(bookNotes.createdAt), asc(bookNotes.id))
  const notesBySource = Map.groupBy(rows, ({ note }) => `${note.sellerId} ${note.source}`)
  const last = [...notesBySource.values()].flatMap((notes) =>
    isWaitingForAnswer(notes.map(({ note }) => note)) ? notes.slice(-1) : [],
  )
  return Promise.all(
    last.map(async ({ note, seller }) => ({
      ...toNoteView(note),
      sellerId: note.sellerId,
      seller,
      source: note.source,
      label: await loadSourceLabel(db, { companyId, id: note.sellerId }, note.source),
    })),
  )
}

type EntityRef = Pick<Entity, 'companyId' | 'id'>
/** The label of a fact, if it can belong to the entity's books. */
async function loadSourceLabel(db: Db, { companyId, id: sellerId }: EntityRef, source: string): Promise<string> {
  const [stored] = await db
    .select({ label: bookEntries.label })
    .from(bookEntries)
    .where(
      and(eq(bookEntries.companyId, companyId), eq(bookEntries.sellerId, sellerId), eq(bookEntries.source, source)),
    )
  if (stored) return stored.label
  const [kind = '', id = ''] = source.split(':')
  if (['invoice', 'accrued', 'accrued-back'].includes(kind)) {
    const where = and(eq(invoices.companyId, companyId), eq(invoices.sellerId, sellerId), eq(invoices.id, id))
    const [row] = await db.select({ number: invoices.number }).from(invoices).where(where)
    return row ? `Document ${row.number}` : ''
  }
  const [row] = await db
    .select({ bookedOn: payments.bookedOn })
    .from(payments)
    .where(and(eq(payments.companyId, companyId), eq(payments.id, id)))
  if (row) return `Paiement du ${row.bookedOn.split('-').reverse().join('/')}`
  return ['match', 'doubt', 'held', 'set-off', 'payout', 'payout-in', 'bank-fee'].includes(kind)
    ? 'Opération diverse'
    : ''
}

/** Stores a note on an entry and notifies the bookkeepers of a question, or the asker of an answer. */
export async function addBookNote(
  tx: Db,
  deps: Pick<Deps, 'secrets' | 'config'>,
  actor: Actor,
  entity: Entity,
  { source, kind, text }: z.output<typeof NewNote>,
) {
  const { companyId, id: sellerId } = entity
  const label = await loadSourceLabel(tx, entity, source)
  if (!label) throw new AppError('not-found')
  const before = await tx
    .select()
    .from(bookNotes)
    .where(and(notesOfEntitySql(entity), eq(bookNotes.source, source)))
    .orderBy(asc(bookNotes.createdAt))
  if (kind !== 'question' && before.length === 0)
    throw fieldError(
      'kind',
      'Personne n’a encore rien demandé sur cette écriture\u00a0: posez d’abord une question.',
      'conflict',
    )
  const [note] = await tx
    .insert(bookNotes)
    .values({
      companyId,
      sellerId,
      source,
      kind,
      text,
      authorId: actor.userId,
      author: formatActorName(actor),
      createdAt: new Date(),
    })
    .returning()
  const questionAuthorId = before.findLast((one) => one.kind === 'question')?.authorId
  const to = kind === 'question' ? { permission: 'books.write' as const } : questionAuthorId ? [questionAuthorId] : []
  await notify(tx, deps, {
    companyId,
    to,
    category: 'billing',
    type: kind === 'question' ? 'warning' : 'info',
    priority: 'normal',
    title: kind === 'question' ? `Question du comptable\u00a0: ${label}` : `Réponse\u00a0: ${label}`,
    message: `${formatActorName(actor)}\u00a0: ${text}`,
    action: { label: 'Ouvrir la comptabilité', url: '/fiscal-documents?tab=comptabilite' },
    key: `book-note ${note?.id}`,
  })
  return label
}
