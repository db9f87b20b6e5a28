import { z } from 'zod'
import {
  BookSettings,
  BookSettingsUpdate,
  NewExportProfile,
  ProfileUpdate,
  profileParams,
  SavedProfile,
} from './book-settings.ts'
import {
  BalanceRow,
  BookDoubt,
  BookEntity,
  BookEntryView,
  BookMonth,
  BookMonthView,
  BookNote,
  BookQuestion,
  BookYear,
  JournalName,
  Tie,
} from './book-views.ts'
import { endpoint } from './endpoint.ts'
import { page } from './list.ts'
import { BasisPoints } from './money.ts'
import { Day, Done, Id } from './primitives.ts'

const params = z.object({ sellerId: Id })
const year = z.object({ year: BookYear })
const read = { permission: 'books.read' } as const
const write = { permission: 'books.write' } as const
const Said = z.string().trim().min(3, 'Écrivez quelques mots.').max(2000)
const Source = z.string().regex(/^[a-z-]+:[0-9a-f-]{36}$/, 'Une écriture est attendue.')

export const EntryQuery = z.object({
  month: BookMonth,
  journal: JournalName.optional(),
  q: z.string().trim().max(200).optional(),
  page: z.coerce.number().int().min(1).default(1),
  size: z.coerce.number().int().min(1).max(100).default(50),
})
export const NewNote = z.strictObject({ source: Source, kind: BookNote.shape.kind, text: Said })
export const NewDoubt = z.strictObject({
  invoiceId: Id,
  /** How much of it, without tax, is thought lost. */
  lostBp: BasisPoints,
  bookedOn: Day,
  reason: Said,
})

export const books = {
  list: endpoint({
    method: 'GET',
    path: '/api/books',
    access: read,
    summary: 'Lister les entités qui tiennent une comptabilité',
    response: z.object({ items: z.array(BookEntity) }),
  }),
  questions: endpoint({
    method: 'GET',
    path: '/api/books/questions',
    access: read,
    summary: 'Lister les questions du comptable sans réponse',
    response: z.object({ items: z.array(BookQuestion) }),
  }),
  profiles: endpoint({
    method: 'GET',
    path: '/api/books/profiles',
    access: read,
    summary: 'Lister les formats d’export comptable',
    response: z.object({ items: z.array(SavedProfile) }),
  }),
  addProfile: endpoint({
    method: 'POST',
    path: '/api/books/profiles',
    access: write,
    summary: 'Enregistrer un format d’export comptable',
    body: NewExportProfile,
    response: SavedProfile,
  }),
  updateProfile: endpoint({
    method: 'PATCH',
    path: '/api/book-profiles/:id',
    access: write,
    summary: 'Modifier un format d’export comptable',
    params: profileParams,
    body: ProfileUpdate,
    response: SavedProfile,
  }),
  removeProfile: endpoint({
    method: 'DELETE',
    path: '/api/book-profiles/:id',
    access: write,
    summary: 'Supprimer un format d’export comptable',
    params: profileParams,
    response: Done,
  }),
  settings: endpoint({
    method: 'GET',
    path: '/api/books/:sellerId/settings',
    access: read,
    summary: 'Lire le plan comptable d’une entité',
    params,
    response: BookSettings,
  }),
  saveSettings: endpoint({
    method: 'PUT',
    path: '/api/books/:sellerId/settings',
    access: write,
    summary: 'Régler le plan comptable d’une entité',
    params,
    body: BookSettingsUpdate,
    response: BookSettings,
  }),
  months: endpoint({
    method: 'GET',
    path: '/api/books/:sellerId/months',
    access: read,
    summary: 'Lister les mois d’un exercice comptable',
    params,
    query: year,
    response: z.object({ from: Day, to: Day, items: z.array(BookMonthView) }),
  }),
  entries: endpoint({
    method: 'GET',
    path: '/api/books/:sellerId/entries',
    access: read,
    summary: 'Lister les écritures d’un mois',
    params,
    query: EntryQuery,
    response: page(BookEntryView),
  }),
  balance: endpoint({
    method: 'GET',
    path: '/api/books/:sellerId/balance',
    access: read,
    summary: 'Lire la balance d’un exercice comptable',
    params,
    query: year,
    response: z.object({ items: z.array(BalanceRow), debit: z.int(), credit: z.int() }),
  }),
  ties: endpoint({
    method: 'GET',
    path: '/api/books/:sellerId/ties',
    access: read,
    summary: 'Contrôler les comptes d’une entité',
    params,
    query: year,
    response: z.object({ items: z.array(Tie) }),
  }),
  lock: endpoint({
    method: 'POST',
    path: '/api/books/:sellerId/locks',
    access: write,
    summary: 'Verrouiller un mois comptable',
    params,
    body: z.strictObject({ month: BookMonth }),
    response: z.object({ months: z.array(Day), entries: z.int(), already: z.boolean() }),
  }),
  fec: endpoint({
    method: 'GET',
    path: '/api/books/:sellerId/fec',
    access: read,
    summary: 'Télécharger le fichier des écritures comptables',
    params,
    query: year.extend({ encoding: z.enum(['utf-8', 'iso-8859-15']).default('utf-8') }),
    response: { file: 'text/plain' },
  }),
  sales: endpoint({
    method: 'GET',
    path: '/api/books/:sellerId/sales',
    access: read,
    summary: 'Télécharger le journal des ventes',
    params,
    query: year.extend({ format: z.enum(['csv', 'xlsx']).default('csv') }),
    response: { file: 'text/csv' },
  }),
  export: endpoint({
    method: 'GET',
    path: '/api/books/:sellerId/export',
    access: read,
    summary: 'Exporter les écritures pour un logiciel comptable',
    params,
    query: z.object({ from: BookMonth, to: BookMonth, profile: z.string().max(60) }),
    response: { file: 'text/csv' },
  }),
  notes: endpoint({
    method: 'GET',
    path: '/api/books/:sellerId/notes',
    access: read,
    summary: 'Lire les échanges sur une écriture',
    params,
    query: z.object({ source: Source }),
    response: z.object({ items: z.array(BookNote) }),
  }),
  addNote: endpoint({
    method: 'POST',
    path: '/api/books/:sellerId/notes',
    access: write,
    summary: 'Écrire au sujet d’une écriture comptable',
    params,
    body: NewNote,
    response: z.object({ items: z.array(BookNote) }),
  }),
  doubts: endpoint({
    method: 'GET',
    path: '/api/books/:sellerId/doubts',
    access: read,
    summary: 'Lister les créances douteuses',
    params,
    response: z.object({ items: z.array(BookDoubt) }),
  }),
  addDoubt: endpoint({
    method: 'POST',
    path: '/api/books/:sellerId/doubts',
    access: write,
    summary: 'Déclarer une créance douteuse',
    params,
    body: NewDoubt,
    response: z.object({ items: z.array(BookDoubt) }),
  }),
  liftDoubt: endpoint({
    method: 'POST',
    path: '/api/book-doubts/:id/lift',
    access: write,
    summary: 'Lever le doute sur une créance',
    params: z.object({ id: Id }),
    body: z.strictObject({ bookedOn: Day }),
    response: z.object({ items: z.array(BookDoubt) }),
  }),
}
