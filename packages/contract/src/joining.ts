import { z } from 'zod'
import { ConsentPurpose } from './consents.ts'
import { defineEndpoint } from './endpoint.ts'
import { ApplicationState, Dwelling } from './joining-labels.ts'
import { ParticipantKind } from './participant-kinds.ts'
import { Day, Email, OptionalText, PostalCode, Prm, Siren, SuccessReply, Text } from './primitives.ts'
import { Signature } from './signatures.ts'

const Slug = z.object({ slug: z.string().min(1).max(120) })
const Key = z.string().min(1).max(120)
const Agreement = z.object({ purpose: ConsentPurpose, version: z.string(), title: z.string(), text: z.string() })

/** What anybody reads of an operation that one may join. Only sums, and only of enough people. */
export const JoinPage = z.object({
  slug: z.string(),
  /** For the head of the page. */
  title: z.string(),
  summary: z.string(),
  operation: z.object({ name: z.string(), city: z.string(), perimeter: z.string() }),
  organiser: z.object({
    name: z.string(),
    email: z.string(),
    phone: z.string(),
    logo: z.string(),
    colour: z.string(),
  }),
  presentation: z.string(),
  conditions: z.string(),
  agreement: z.object({ text: z.string(), version: z.int() }),
  /** 1/10 000 € per kWh before tax; null where no price is the same for everybody. */
  price: z.int().nullable(),
  supplierPrice: z.int().nullable(),
  producers: z.object({ named: z.array(z.string()), others: z.int() }),
  /** Null where they are too few to be told. */
  consumers: z.int().nullable(),
  /** Sums of the last twelve whole months, in watt-hours; null where they would be somebody's own. */
  year: z.object({ from: Day, to: Day, shared: z.int(), produced: z.int().nullable() }).nullable(),
  /** The first day on which somebody who asks today may come in, and the days of notice to leave. */
  firstOn: Day,
  noticeDays: z.int(),
  texts: z.array(Agreement),
})
export type JoinPage = z.infer<typeof JoinPage>

/** Over the days that are known, never beyond them. `enough` false: there is nothing to tell yet. */
export const JoinEstimate = z.object({
  enough: z.boolean(),
  from: Day.nullable(),
  to: Day.nullable(),
  days: z.int(),
  consumedWh: z.int(),
  receivedWh: z.int(),
  /** 1/10 000 € per kWh before tax. */
  price: z.int().nullable(),
  supplierPrice: z.int().nullable(),
  savingCents: z.int().nullable(),
  assumptions: z.array(z.string()),
})
export type JoinEstimate = z.infer<typeof JoinEstimate>

/** A person leaves it empty; a script that fills every field gives itself away. */
const Honeypot = z.string().max(200).default('')

export const JoinDraft = z.strictObject({
  kind: ParticipantKind.default('person'),
  name: OptionalText.default(''),
  siren: Siren.default(''),
  firstName: Text,
  lastName: Text,
  email: Email,
  phone: OptionalText.default(''),
  address: Text,
  postalCode: PostalCode.refine((code) => code !== '', 'Un code postal compte cinq chiffres, par exemple 69003.'),
  city: Text,
  prm: Prm,
  message: z.string().trim().max(2000).default(''),
  website: Honeypot,
})

/** What whoever asked reads of it, by the link that was mailed to them. */
export const OwnApplication = z.object({
  state: ApplicationState,
  name: z.string(),
  email: z.string(),
  address: z.string(),
  prm: z.string(),
  operation: z.string(),
  organiser: z.string(),
  /** To be read and signed while it is verified. */
  text: z.string(),
  hash: z.string(),
  texts: z.array(Agreement),
  firstOn: Day,
  effectiveOn: Day.nullable(),
  reason: z.string(),
  hasPaper: z.boolean(),
})
export type OwnApplication = z.infer<typeof OwnApplication>

export const JoinSignature = Signature.extend({
  key: Key,
  /** The readings are needed to share: without them there is nothing to join. The others are each a choice. */
  consents: z
    .array(ConsentPurpose)
    .max(10)
    .refine((given) => given.includes('collection'), 'La collecte de vos mesures est nécessaire pour partager.'),
})

export const joining = {
  page: defineEndpoint({
    method: 'GET',
    path: '/api/join/:slug',
    access: 'public',
    summary: 'Lire la page d’une opération à rejoindre',
    params: Slug,
    response: JoinPage,
  }),
  estimate: defineEndpoint({
    method: 'GET',
    path: '/api/join/:slug/estimate',
    access: 'public',
    summary: 'Estimer ce que rejoindre une opération changerait',
    params: Slug,
    query: z.object({
      dwelling: Dwelling,
      yearlyKwh: z.coerce.number().int().min(100).max(200_000),
      /** One's own supplier's, where one knows it. */
      supplierPrice: z.coerce.number().int().min(1).max(20_000).optional(),
    }),
    response: JoinEstimate,
  }),
  apply: defineEndpoint({
    method: 'POST',
    path: '/api/join/:slug/applications',
    access: 'public',
    summary: 'Demander à rejoindre une opération',
    params: Slug,
    body: JoinDraft,
    response: z.object({ success: z.literal(true), message: z.string() }),
  }),
  verify: defineEndpoint({
    method: 'POST',
    path: '/api/join/:slug/application',
    access: 'public',
    summary: 'Ouvrir sa demande par le lien reçu',
    params: Slug,
    body: z.strictObject({ key: Key }),
    response: OwnApplication,
  }),
  sign: defineEndpoint({
    method: 'POST',
    path: '/api/join/:slug/signature',
    access: 'public',
    summary: 'Signer l’accord de participation',
    params: Slug,
    body: JoinSignature,
    response: OwnApplication,
  }),
  withdraw: defineEndpoint({
    method: 'POST',
    path: '/api/join/:slug/withdrawal',
    access: 'public',
    summary: 'Retirer sa demande',
    params: Slug,
    body: z.strictObject({ key: Key }),
    response: SuccessReply,
  }),
  paper: defineEndpoint({
    method: 'GET',
    path: '/api/join/:slug/paper',
    access: 'public',
    summary: 'Télécharger son accord signé',
    params: Slug,
    query: z.object({ key: Key }),
    response: { file: 'application/pdf' },
  }),
}
