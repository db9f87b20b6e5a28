import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { UnitPrice } from './money.ts'
import { Day, Id, Instant, OptionalText, SuccessReply, TimeClass, Version } from './primitives.ts'
import {
  PriceIndex,
  PriceIndexDraft,
  PriceIndexUpdate,
  PriceIndexValueDraft,
  PriceMatrix,
  TariffDiscount,
  TariffDiscountDraft,
  TariffDiscountUpdate,
  TariffFee,
  TariffFeeDraft,
  TariffFeeUpdate,
  TariffRule,
} from './tariff-terms.ts'

const Rules = z.array(TariffRule).max(500)
/** `rule` is the place of the rule in the list, counted from 0. */
export const TariffProblem = z.object({
  /** `reason`: it changes what is closed, and is adopted only with a reason. */
  severity: z.enum(['refused', 'reason', 'warning']),
  message: z.string(),
  rule: z.int().nullable(),
})
export type TariffProblem = z.infer<typeof TariffProblem>

export const Tariff = z.object({
  id: Id,
  operationId: Id,
  number: z.int(),
  label: z.string(),
  status: z.enum(['draft', 'adopted']),
  startsOn: Day,
  /** The day the next adopted version begins. */
  endsOn: Day.nullable(),
  inForce: z.boolean(),
  rules: Rules,
  adoptedAt: Instant.nullable(),
  adoptedBy: z.string(),
  createdAt: Instant,
  version: z.int(),
})
export type Tariff = z.infer<typeof Tariff>
export const TariffDetail = Tariff.extend({ problems: z.array(TariffProblem) })
export type TariffDetail = z.infer<typeof TariffDetail>

const tariffFields = { label: OptionalText, startsOn: Day, rules: Rules }
export const TariffDraft = z.strictObject({ ...tariffFields, label: OptionalText.default('') })
export const TariffUpdate = z.strictObject({ ...tariffFields, version: Version })
export const TariffCopy = z.strictObject({ startsOn: Day, label: OptionalText.default('') })
/** `reason`: why prices of months that are closed change; the regularisation that follows is told of it. */
export const TariffAdoption = z.strictObject({
  version: Version,
  reason: z.string().trim().min(10, 'Dites pourquoi en quelques mots (10 caractères au moins).').max(500).optional(),
})
export const TariffPreviewInput = z.strictObject({ startsOn: Day, day: Day, rules: Rules, tariffId: Id.optional() })

const Named = z.object({ id: Id, name: z.string() })
/** What a tariff of the operation may name, and the prices beside which one looks at it. */
export const TariffChoices = z.object({
  producers: z.array(Named),
  buyers: z.array(Named.extend({ groupId: Id.nullable() })),
  groups: z.array(Named),
  sellers: z.array(Named),
  classes: z.array(TimeClass),
  supplierPrice: UnitPrice.nullable(),
  surplusPrice: UnitPrice.nullable(),
  /** The first day that no closed month holds; null where none is closed. */
  openFrom: Day.nullable(),
})
export type TariffChoices = z.infer<typeof TariffChoices>

const params = z.object({ id: Id })
const READ_ACCESS = { permission: 'tariffs.read' } as const
const WRITE_ACCESS = { permission: 'tariffs.write' } as const
/** An index serves every operation of the company: whoever is limited to some does not set it. */
const INDEX_WRITE_ACCESS = { permission: 'parties.write' } as const
const operationPath = '/api/acc-operations/:id'
const itemPath = '/api/tariffs/:id'

const versions = {
  list: defineEndpoint({
    method: 'GET',
    path: `${operationPath}/tariffs`,
    access: READ_ACCESS,
    summary: 'Lister les tarifs d’une opération',
    params,
    /** `proposal`: where there is no version yet, a first one at the price that was said of the operation. */
    response: z.object({ items: z.array(Tariff), proposal: TariffDraft.nullable() }),
  }),
  choices: defineEndpoint({
    method: 'GET',
    path: `${operationPath}/tariff-choices`,
    access: READ_ACCESS,
    summary: 'Lire ce qu’un tarif peut nommer',
    params,
    response: TariffChoices,
  }),
  matrix: defineEndpoint({
    method: 'GET',
    path: `${operationPath}/price-matrix`,
    access: READ_ACCESS,
    summary: 'Lire qui paie quoi, quand',
    params,
    query: z.object({ day: Day }),
    response: PriceMatrix,
  }),
  /** A version that is being written: what it would make pay, and what stands in its way. */
  tryOut: defineEndpoint({
    method: 'POST',
    path: `${operationPath}/tariffs/trial`,
    access: READ_ACCESS,
    audit: 'none',
    summary: 'Essayer un tarif sans l’enregistrer',
    params,
    body: TariffPreviewInput,
    response: z.object({ matrix: PriceMatrix, problems: z.array(TariffProblem) }),
  }),
  create: defineEndpoint({
    method: 'POST',
    path: `${operationPath}/tariffs`,
    access: WRITE_ACCESS,
    summary: 'Préparer un tarif',
    params,
    body: TariffDraft,
    response: TariffDetail,
  }),
  get: defineEndpoint({
    method: 'GET',
    path: itemPath,
    access: READ_ACCESS,
    summary: 'Lire un tarif',
    params,
    response: TariffDetail,
  }),
  copy: defineEndpoint({
    method: 'POST',
    path: `${itemPath}/copy`,
    access: WRITE_ACCESS,
    summary: 'Préparer un tarif à partir d’un autre',
    params,
    body: TariffCopy,
    response: TariffDetail,
  }),
  update: defineEndpoint({
    method: 'PATCH',
    path: itemPath,
    access: WRITE_ACCESS,
    summary: 'Modifier un brouillon de tarif',
    params,
    body: TariffUpdate,
    response: TariffDetail,
  }),
  remove: defineEndpoint({
    method: 'DELETE',
    path: itemPath,
    access: WRITE_ACCESS,
    summary: 'Supprimer un brouillon de tarif',
    params,
    response: SuccessReply,
  }),
  adopt: defineEndpoint({
    method: 'POST',
    path: `${itemPath}/adopt`,
    access: { permission: 'tariffs.adopt' },
    summary: 'Adopter un tarif',
    params,
    body: TariffAdoption,
    response: TariffDetail,
  }),
}

const terms = {
  fees: defineEndpoint({
    method: 'GET',
    path: `${operationPath}/tariff-fees`,
    access: READ_ACCESS,
    summary: 'Lister les frais d’une opération',
    params,
    response: z.object({ items: z.array(TariffFee) }),
  }),
  createFee: defineEndpoint({
    method: 'POST',
    path: `${operationPath}/tariff-fees`,
    access: WRITE_ACCESS,
    summary: 'Ajouter des frais',
    params,
    body: TariffFeeDraft,
    response: TariffFee,
  }),
  updateFee: defineEndpoint({
    method: 'PATCH',
    path: '/api/tariff-fees/:id',
    access: WRITE_ACCESS,
    summary: 'Modifier des frais',
    params,
    body: TariffFeeUpdate,
    response: TariffFee,
  }),
  removeFee: defineEndpoint({
    method: 'DELETE',
    path: '/api/tariff-fees/:id',
    access: WRITE_ACCESS,
    summary: 'Supprimer des frais',
    params,
    response: SuccessReply,
  }),
  discounts: defineEndpoint({
    method: 'GET',
    path: `${operationPath}/tariff-discounts`,
    access: READ_ACCESS,
    summary: 'Lister les remises d’une opération',
    params,
    response: z.object({ items: z.array(TariffDiscount) }),
  }),
  createDiscount: defineEndpoint({
    method: 'POST',
    path: `${operationPath}/tariff-discounts`,
    access: WRITE_ACCESS,
    summary: 'Ajouter une remise',
    params,
    body: TariffDiscountDraft,
    response: TariffDiscount,
  }),
  orderDiscounts: defineEndpoint({
    method: 'PUT',
    path: `${operationPath}/tariff-discounts/order`,
    access: WRITE_ACCESS,
    summary: 'Ranger les remises d’une opération',
    params,
    body: z.strictObject({ ids: z.array(Id).max(500) }),
    response: z.object({ items: z.array(TariffDiscount) }),
  }),
  updateDiscount: defineEndpoint({
    method: 'PATCH',
    path: '/api/tariff-discounts/:id',
    access: WRITE_ACCESS,
    summary: 'Modifier une remise',
    params,
    body: TariffDiscountUpdate,
    response: TariffDiscount,
  }),
  removeDiscount: defineEndpoint({
    method: 'DELETE',
    path: '/api/tariff-discounts/:id',
    access: WRITE_ACCESS,
    summary: 'Supprimer une remise',
    params,
    response: SuccessReply,
  }),
}

const indexes = {
  indexes: defineEndpoint({
    method: 'GET',
    path: '/api/price-indexes',
    access: READ_ACCESS,
    summary: 'Lister les indices de prix',
    response: z.object({ items: z.array(PriceIndex) }),
  }),
  createIndex: defineEndpoint({
    method: 'POST',
    path: '/api/price-indexes',
    access: INDEX_WRITE_ACCESS,
    summary: 'Ajouter un indice de prix',
    body: PriceIndexDraft,
    response: PriceIndex,
  }),
  updateIndex: defineEndpoint({
    method: 'PATCH',
    path: '/api/price-indexes/:id',
    access: INDEX_WRITE_ACCESS,
    summary: 'Modifier un indice de prix',
    params,
    body: PriceIndexUpdate,
    response: PriceIndex,
  }),
  removeIndex: defineEndpoint({
    method: 'DELETE',
    path: '/api/price-indexes/:id',
    access: INDEX_WRITE_ACCESS,
    summary: 'Supprimer un indice de prix',
    params,
    response: SuccessReply,
  }),
  sayIndex: defineEndpoint({
    method: 'POST',
    path: '/api/price-indexes/:id/values',
    access: INDEX_WRITE_ACCESS,
    summary: 'Annoncer, publier ou réviser un indice',
    params,
    body: PriceIndexValueDraft,
    response: PriceIndex,
  }),
}

export const tariffs = { ...versions, ...terms, ...indexes }
