import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { Bic } from './party-numbers.ts'
import { Day, Flag, Id, Text, Version } from './primitives.ts'
import { Proof, Signature } from './signatures.ts'

export const MandateState = z.enum(['active', 'stopped', 'revoked', 'lapsed', 'used'])
export type MandateState = z.infer<typeof MandateState>
export const MANDATE_STATE_LABELS: Record<MandateState, string> = {
  active: 'Actif',
  stopped: 'Arrêté par la banque',
  revoked: 'Révoqué',
  lapsed: 'Caduc',
  used: 'Utilisé',
}
export const MandateKind = z.enum(['recurrent', 'oneOff'])

/** The signs that every bank takes, 35 of them at most. */
export const Rum = z
  .string()
  .trim()
  .toUpperCase()
  .regex(
    /^(?!\/)(?!.*\/\/)(?!.*\/$)[A-Z0-9/?:().,'+ -]{1,35}$/,
    'Une RUM compte 35 caractères au plus\u00a0: lettres sans accent, chiffres et signes simples, par exemple TILLEULS-0042.',
  )
const accountFields = { holder: Text.max(70), iban: z.string().min(1).max(60), bic: Bic }
const partyFields = { creditorId: Id, participantId: Id }

export const Mandate = z.object({
  id: Id,
  ...partyFields,
  creditor: z.string(),
  ics: z.string(),
  participant: z.string(),
  rum: z.string(),
  kind: MandateKind,
  holder: z.string(),
  ibanEnd: z.string(),
  bic: z.string(),
  signedOn: Day,
  method: z.enum(['screen', 'paper', 'import']),
  proof: Proof.nullable(),
  file: z.object({ name: z.string(), size: z.int() }).nullable(),
  firstDebitOn: Day.nullable(),
  lastDebitOn: Day.nullable(),
  /** The account changed since the last debit: the next one tells the bank. */
  amended: z.boolean(),
  state: MandateState,
  stateOn: Day,
  reason: z.string(),
  /** The day on which it lapses if nothing is debited until then. */
  lapsesOn: Day,
  version: z.int(),
})
export type Mandate = z.infer<typeof Mandate>

export const MandateSignature = z.strictObject({ ...partyFields, ...accountFields, ...Signature.shape })
export const MandateDraft = z.strictObject({
  ...partyFields,
  ...accountFields,
  rum: Rum.optional(),
  kind: MandateKind,
  signedOn: Day,
})
export const MandateAccount = z.strictObject({ ...accountFields, version: Version })

const params = z.object({ id: Id })
const ownReadAccess = { permission: 'mandates.read', portal: true } as const
const ownWriteAccess = { permission: 'mandates.write', portal: true } as const
const writeAccess = { permission: 'mandates.write' } as const
const MAX_IMPORT_BYTES = 10 * 1024 * 1024

const ImportedMandate = z.object({
  line: z.int(),
  rum: z.string(),
  participant: z.string(),
  outcome: z.enum(['added', 'known', 'refused']),
  message: z.string(),
})

export const mandates = {
  list: defineEndpoint({
    method: 'GET',
    path: '/api/mandates',
    access: ownReadAccess,
    summary: 'Lister les mandats de prélèvement',
    query: z.object({ participantId: Id.optional(), state: MandateState.optional() }),
    response: z.object({
      items: z.array(Mandate),
      /** To whom a mandate may be given: sellers who have an account with an ICS. */
      creditors: z.array(z.object({ id: Id, name: z.string(), ics: z.string() })),
      /** In whose name one may sign. */
      people: z.array(z.object({ id: Id, name: z.string() })),
      /** References that stand on sheets since before mandates had a place of their own. */
      noted: z.int(),
    }),
  }),
  text: defineEndpoint({
    method: 'GET',
    path: '/api/mandates/text',
    access: ownReadAccess,
    summary: 'Lire le texte d’un mandat à signer',
    query: z.object(partyFields),
    response: z.object({ text: z.string(), hash: z.string() }),
  }),
  sign: defineEndpoint({
    method: 'POST',
    path: '/api/mandates/sign',
    access: ownWriteAccess,
    summary: 'Signer un mandat de prélèvement',
    body: MandateSignature,
    response: Mandate,
  }),
  add: defineEndpoint({
    method: 'POST',
    path: '/api/mandates',
    access: writeAccess,
    summary: 'Enregistrer un mandat signé sur papier',
    body: MandateDraft,
    response: Mandate,
  }),
  import: defineEndpoint({
    method: 'POST',
    path: '/api/mandates/import',
    access: writeAccess,
    summary: 'Reprendre des mandats d’un tableau',
    query: z.object({ name: z.string().trim().min(1).max(200), creditorId: Id, dryRun: Flag.default(false) }),
    upload: MAX_IMPORT_BYTES,
    response: z.object({ added: z.int(), known: z.int(), refused: z.int(), lines: z.array(ImportedMandate) }),
  }),
  takeOver: defineEndpoint({
    method: 'POST',
    path: '/api/mandates/take-over',
    access: writeAccess,
    summary: 'Reprendre les mandats notés sur les fiches',
    body: z.strictObject({ creditorId: Id }),
    response: z.object({ added: z.int(), known: z.int(), refused: z.int(), lines: z.array(ImportedMandate) }),
  }),
  account: defineEndpoint({
    method: 'PUT',
    path: '/api/mandates/:id/account',
    access: ownWriteAccess,
    summary: 'Changer le compte d’un mandat',
    params,
    body: MandateAccount,
    response: Mandate,
  }),
  revoke: defineEndpoint({
    method: 'POST',
    path: '/api/mandates/:id/revoke',
    access: ownWriteAccess,
    summary: 'Révoquer un mandat',
    params,
    body: z.strictObject({ reason: Text, version: Version }),
    response: Mandate,
  }),
  file: defineEndpoint({
    method: 'GET',
    path: '/api/mandates/:id/file',
    access: ownReadAccess,
    summary: 'Télécharger un mandat signé',
    params,
    response: { file: 'application/octet-stream' },
  }),
  putFile: defineEndpoint({
    method: 'PUT',
    path: '/api/mandates/:id/file',
    access: writeAccess,
    summary: 'Joindre le mandat signé sur papier',
    params,
    query: z.object({ name: z.string().trim().min(1).max(200) }),
    upload: MAX_IMPORT_BYTES,
    response: Mandate,
  }),
}
export type ImportedMandate = z.infer<typeof ImportedMandate>
