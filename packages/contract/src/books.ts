import { z } from 'zod'
import {
  BookSettings,
  BookSettingsUpdate,
  ExportProfileUpdate,
  NewExportProfile,
  profileParams,
  SavedProfile,
} from './book-settings.ts'
import {
  BalanceRow,
  BookEntity,
  BookEntryView,
  BookMonth,
  BookMonthView,
  BookNote,
  BookQuestion,
  BookYear,
  ControlTotal,
  DoubtfulDebt,
  JournalName,
} from './book-views.ts'
import { defineEndpoint } from './endpoint.ts'
import { BasisPoints } from './money.ts'
import { buildPageSchema, Day, Id, SuccessReply } from './primitives.ts'

const params = z.object({ sellerId: Id })
const year = z.object({ year: BookYear })
const readAccess = { permission: 'books.read' } as const
const writeAccess = { permission: 'books.write' } as const
const NoteText = z.string().trim().min(3, 'Écrivez quelques mots.').max(2000)
const Source = z.string().regex(/^[a-z-]+:[0-9a-f-]{36}$/, 'Une écriture est attendue.')

export const EntryQuery = z.object({
  month: BookMonth,
  journal: JournalName.optional(),
  q: z.string().trim().max(200).optional(),
  page: z.coerce.number().int().min(1).default(1),
  size: z.coerce.number().int().min(1).max(100).default(50),
})
export const NewNote = z.strictObject({ source: Source, kind: BookNote.shape.kind, text: NoteText })
export const NewDoubtfulDebt = z.strictObject({
  invoiceId: Id,
  /** The part before tax that is expected to be lost, in 1/100 %. */
  lostBp: BasisPoints,
  bookedOn: Day,
  reason: NoteText,
})

export const books = {
  list: defineEndpoint({
    method: 'GET',
    path: '/api/books',
    access: readAccess,
    summary: 'Lister les entités qui tiennent une comptabilité',
    response: z.object({ items: z.array(BookEntity) }),
  }),
  questions: defineEndpoint({
    method: 'GET',
    path: '/api/books/questions',
    access: readAccess,
    summary: 'Lister les questions du comptable sans réponse',
    response: z.object({ items: z.array(BookQuestion) }),
  }),
  profiles: defineEndpoint({
    method: 'GET',
    path: '/api/books/profiles',
    access: readAccess,
    summary: 'Lister les formats d’export comptable',
    response: z.object({ items: z.array(SavedProfile) }),
  }),
  addProfile: defineEndpoint({
    method: 'POST',
    path: '/api/books/profiles',
    access: writeAccess,
    summary: 'Enregistrer un format d’export comptable',
    body: NewExportProfile,
    response: SavedProfile,
  }),
  updateProfile: defineEndpoint({
    method: 'PATCH',
    path: '/api/book-profiles/:id',
    access: writeAccess,
    summary: 'Modifier un format d’export comptable',
    params: profileParams,
    body: ExportProfileUpdate,
    response: SavedProfile,
  }),
  removeProfile: defineEndpoint({
    method: 'DELETE',
    path: '/api/book-profiles/:id',
    access: writeAccess,
    summary: 'Supprimer un format d’export comptable',
    params: profileParams,
    response: SuccessReply,
  }),
  settings: defineEndpoint({
    method: 'GET',
    path: '/api/books/:sellerId/settings',
    access: readAccess,
    summary: 'Lire le plan comptable d’une entité',
    params,
    response: BookSettings,
  }),
  saveSettings: defineEndpoint({
    method: 'PUT',
    path: '/api/books/:sellerId/settings',
    access: writeAccess,
    summary: 'Régler le plan comptable d’une entité',
    params,
    body: BookSettingsUpdate,
    response: BookSettings,
  }),
  months: defineEndpoint({
    method: 'GET',
    path: '/api/books/:sellerId/months',
    access: readAccess,
    summary: 'Lister les mois d’un exercice comptable',
    params,
    query: year,
    response: z.object({ from: Day, to: Day, items: z.array(BookMonthView) }),
  }),
  entries: defineEndpoint({
    method: 'GET',
    path: '/api/books/:sellerId/entries',
    access: readAccess,
    summary: 'Lister les écritures d’un mois',
    params,
    query: EntryQuery,
    response: buildPageSchema(BookEntryView),
  }),
  balance: defineEndpoint({
    method: 'GET',
    path: '/api/books/:sellerId/balance',
    access: readAccess,
    summary: 'Lire la balance d’un exercice comptable',
    params,
    query: year,
    response: z.object({ items: z.array(BalanceRow), debit: z.int(), credit: z.int() }),
  }),
  ties: defineEndpoint({
    method: 'GET',
    path: '/api/books/:sellerId/ties',
    access: readAccess,
    summary: 'Contrôler les comptes d’une entité',
    params,
    query: year,
    response: z.object({ items: z.array(ControlTotal) }),
  }),
  lock: defineEndpoint({
    method: 'POST',
    path: '/api/books/:sellerId/locks',
    access: writeAccess,
    summary: 'Verrouiller un mois comptable',
    params,
    body: z.strictObject({ month: BookMonth }),
    response: z.object({ months: z.array(Day), entries: z.int(), already: z.boolean() }),
  }),
  fec: defineEndpoint({
    method: 'GET',
    path: '/api/books/:sellerId/fec',
    access: readAccess,
    summary: 'Télécharger le fichier des écritures comptables',
    params,
    query: year.extend({ encoding: z.enum(['utf-8', 'iso-8859-15']).default('utf-8') }),
    response: { file: 'text/plain' },
  }),
  sales: defineEndpoint({
    method: 'GET',
    path: '/api/books/:sellerId/sales',
    access: readAccess,
    summary: 'Télécharger le journal des ventes',
    params,
    query: year.extend({ format: z.enum(['csv', 'xlsx']).default('csv') }),
    response: { file: 'text/csv' },
  }),
  export: defineEndpoint({
    method: 'GET',
    path: '/api/books/:sellerId/export',
    access: readAccess,
    summary: 'Exporter les écritures pour un logiciel comptable',
    params,
    query: z.object({ from: BookMonth, to: BookMonth, profile: z.string().max(60) }),
    response: { file: 'text/csv' },
  }),
  notes: defineEndpoint({
    method: 'GET',
    path: '/api/books/:sellerId/notes',
    access: readAccess,
    summary: 'Lire les échanges sur une écriture',
    params,
    query: z.object({ source: Source }),
    response: z.object({ items: z.array(BookNote) }),
  }),
  addNote: defineEndpoint({
    method: 'POST',
    path: '/api/books/:sellerId/notes',
    access: writeAccess,
    summary: 'Écrire au sujet d’une écriture comptable',
    params,
    body: NewNote,
    response: z.object({ items: z.array(BookNote) }),
  }),
  doubts: defineEndpoint({
    method: 'GET',
    path: '/api/books/:sellerId/doubts',
    access: readAccess,
    summary: 'Lister les créances douteuses',
    params,
    response: z.object({ items: z.array(DoubtfulDebt) }),
  }),
  addDoubt: defineEndpoint({
    method: 'POST',
    path: '/api/books/:sellerId/doubts',
    access: writeAccess,
    summary: 'Déclarer une créance douteuse',
    params,
    body: NewDoubtfulDebt,
    response: z.object({ items: z.array(DoubtfulDebt) }),
  }),
  liftDoubt: defineEndpoint({
    method: 'POST',
    path: '/api/book-doubts/:id/lift',
    access: writeAccess,
    summary: 'Lever le doute sur une créance',
    params: z.object({ id: Id }),
    body: z.strictObject({ bookedOn: Day }),
    response: z.object({ items: z.array(DoubtfulDebt) }),
  }),
}
