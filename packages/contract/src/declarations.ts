import { z } from 'zod'
import { BookYear } from './book-views.ts'
import { defineEndpoint } from './endpoint.ts'
import { Cents, VatCategory } from './money.ts'
import { Day, Id, Instant } from './primitives.ts'

export const DeclarationKind = z.enum(['vat', 'accise', 'eReporting', 'fec', 'participantYear', 'producerYear'])
export type DeclarationKind = z.infer<typeof DeclarationKind>

export const DECLARATION_LABELS: Record<DeclarationKind, string> = {
  vat: 'Récapitulatif de TVA',
  accise: 'Récapitulatif d’accise',
  eReporting: 'Fichier d’e-reporting',
  fec: 'Fichier des écritures comptables',
  participantYear: 'Relevé annuel d’un participant',
  producerYear: 'Relevé annuel d’un producteur',
}

/** A declaration as it was made: kind, period, author, and the fingerprint of its file. */
export const Declaration = z.object({
  id: Id,
  kind: DeclarationKind,
  /** The seller or participant it is about. */
  whose: z.string(),
  from: Day,
  /** The first day not included. */
  to: Day,
  number: z.int(),
  file: z.string(),
  sha256: z.string(),
  by: z.string(),
  at: Instant,
})
export type Declaration = z.infer<typeof Declaration>

const VatRow = z.object({ month: Day, category: VatCategory, rate: z.int(), base: Cents, tax: Cents })
export type VatRow = z.infer<typeof VatRow>
const AcciseRow = z.object({
  month: Day,
  /** Null where no accise is due. */
  acciseClass: z.string().nullable(),
  centsPerMwh: z.int().nullable(),
  wh: z.int(),
  cents: Cents,
})
export type AcciseRow = z.infer<typeof AcciseRow>
const ReportRow = z.object({
  day: Day,
  code: z.enum(['TLB1', 'TPS1', 'TNT1']),
  rate: z.int(),
  base: Cents,
  tax: Cents,
  documents: z.int(),
})
export type ReportRow = z.infer<typeof ReportRow>

const sellerYear = z.object({ sellerId: Id, year: BookYear })
export const NewDeclaration = z.strictObject({
  kind: DeclarationKind,
  /** The seller, or the participant for a yearly participant document. */
  of: Id,
  year: BookYear,
  /** For e-reporting: a month of the year, and the file format. */
  month: z.int().min(1).max(12).optional(),
  format: z.enum(['csv', 'xml']).default('csv'),
})
const readAccess = { permission: 'declarations.read' } as const
const writeAccess = { permission: 'declarations.write' } as const
/** Generating a year of documents takes minutes. */
const DECLARATION_TIMEOUT_SECONDS = 300

export const declarations = {
  list: defineEndpoint({
    method: 'GET',
    path: '/api/declarations',
    access: { permission: 'declarations.read', portal: true },
    summary: 'Lister les déclarations préparées',
    query: z.object({ year: BookYear.optional(), kind: DeclarationKind.optional() }),
    response: z.object({ items: z.array(Declaration) }),
  }),
  vat: defineEndpoint({
    method: 'GET',
    path: '/api/declarations/vat',
    access: readAccess,
    summary: 'Lire le récapitulatif de TVA d’un vendeur',
    query: sellerYear,
    response: z.object({ issue: z.array(VatRow), supply: z.array(VatRow), tax: Cents }),
  }),
  accise: defineEndpoint({
    method: 'GET',
    path: '/api/declarations/accise',
    access: readAccess,
    summary: 'Lire le récapitulatif d’accise d’un vendeur',
    query: sellerYear,
    response: z.object({ items: z.array(AcciseRow), wh: z.int(), cents: Cents }),
  }),
  eReporting: defineEndpoint({
    method: 'GET',
    path: '/api/declarations/e-reporting',
    access: readAccess,
    summary: 'Lire les ventes à déclarer en e-reporting',
    query: sellerYear,
    response: z.object({ items: z.array(ReportRow) }),
  }),
  make: defineEndpoint({
    method: 'POST',
    path: '/api/declarations',
    access: writeAccess,
    summary: 'Préparer une déclaration ou un relevé annuel',
    body: NewDeclaration,
    response: z.object({ item: Declaration, already: z.boolean() }),
    timeout: DECLARATION_TIMEOUT_SECONDS,
  }),
  makeYears: defineEndpoint({
    method: 'POST',
    path: '/api/declarations/years',
    access: writeAccess,
    summary: 'Préparer tous les relevés annuels',
    body: z.strictObject({ year: BookYear, kind: z.enum(['participantYear', 'producerYear']) }),
    response: z.object({ made: z.int(), already: z.int() }),
    timeout: DECLARATION_TIMEOUT_SECONDS,
  }),
  archive: defineEndpoint({
    method: 'GET',
    path: '/api/declarations/archive',
    access: readAccess,
    summary: 'Télécharger les relevés annuels en une archive',
    query: z.object({ year: BookYear, kind: z.enum(['participantYear', 'producerYear']) }),
    response: { file: 'application/zip' },
  }),
  file: defineEndpoint({
    method: 'GET',
    path: '/api/declarations/:id/file',
    access: { permission: 'declarations.read', portal: true },
    summary: 'Télécharger une déclaration préparée',
    params: z.object({ id: Id }),
    response: { file: 'application/octet-stream' },
  }),
}
