import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { UnitPrice } from './money.ts'
import { IndexWordDraft, PriceIndex, PriceIndexDraft, PriceIndexUpdate } from './price-indexes.ts'
import { PriceMatrix } from './price-matrix.ts'
import { Day, Done, Id, Instant, OptionalText, TimeClass, Version } from './primitives.ts'
import { TariffRule } from './tariff-rule.ts'
import {
  TariffDiscount,
  TariffDiscountDraft,
  TariffDiscountUpdate,
  TariffFee,
  TariffFeeDraft,
  TariffFeeUpdate,
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

const fields = { label: OptionalText, startsOn: Day, rules: Rules }
export const TariffDraft = z.strictObject({ ...fields, label: OptionalText.default('') })
export const TariffUpdate = z.strictObject({ ...fields, version: Version })
export const TariffCopy = z.strictObject({ startsOn: Day, label: OptionalText.default('') })
/** `reason`: why prices of months that are closed change; the regularisation that follows is told of it. */
export const TariffAdoption = z.strictObject({
  version: Version,
  reason: z.string().trim().min(10, 'Dites pourquoi en quelques mots (10 caractères au moins).').max(500).optional(),
})
export const TariffTrial = z.strictObject({ startsOn: Day, day: Day, rules: Rules, tariffId: Id.optional() })

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
const READ = { permission: 'tariffs.read' } as const
const WRITE = { permission: 'tariffs.write' } as const
/** An index serves every operation of the company: whoever is limited to some does not set it. */
const SET = { permission: 'parties.write' } as const
const operation = '/api/acc-operations/:id'
const one = '/api/tariffs/:id'

const versions = {
  list: endpoint({
    method: 'GET',
    path: `${operation}/tariffs`,
    access: READ,
    summary: 'Lister les tarifs d’une opération',
    params,
    /** `proposal`: where there is no version yet, a first one at the price that was said of the operation. */
    response: z.object({ items: z.array(Tariff), proposal: TariffDraft.nullable() }),
  }),
  choices: endpoint({
    method: 'GET',
    path: `${operation}/tariff-choices`,
    access: READ,
    summary: 'Lire ce qu’un tarif peut nommer',
    params,
    response: TariffChoices,
  }),
  matrix: endpoint({
    method: 'GET',
    path: `${operation}/price-matrix`,
    access: READ,
    summary: 'Lire qui paie quoi, quand',
    params,
    query: z.object({ day: Day }),
    response: PriceMatrix,
  }),
  /** A version that is being written: what it would make pay, and what stands in its way. */
  tryOut: endpoint({
    method: 'POST',
    path: `${operation}/tariffs/trial`,
    access: READ,
    audit: 'none',
    summary: 'Essayer un tarif sans l’enregistrer',
    params,
    body: TariffTrial,
    response: z.object({ matrix: PriceMatrix, problems: z.array(TariffProblem) }),
  }),
  create: endpoint({
    method: 'POST',
    path: `${operation}/tariffs`,
    access: WRITE,
    summary: 'Préparer un tarif',
    params,
    body: TariffDraft,
    response: TariffDetail,
  }),
  get: endpoint({
    method: 'GET',
    path: one,
    access: READ,
    summary: 'Lire un tarif',
    params,
    response: TariffDetail,
  }),
  copy: endpoint({
    method: 'POST',
    path: `${one}/copy`,
    access: WRITE,
    summary: 'Préparer un tarif à partir d’un autre',
    params,
    body: TariffCopy,
    response: TariffDetail,
  }),
  update: endpoint({
    method: 'PATCH',
    path: one,
    access: WRITE,
    summary: 'Modifier un brouillon de tarif',
    params,
    body: TariffUpdate,
    response: TariffDetail,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: one,
    access: WRITE,
    summary: 'Supprimer un brouillon de tarif',
    params,
    response: Done,
  }),
  adopt: endpoint({
    method: 'POST',
    path: `${one}/adopt`,
    access: { permission: 'tariffs.adopt' },
    summary: 'Adopter un tarif',
    params,
    body: TariffAdoption,
    response: TariffDetail,
  }),
}

const terms = {
  fees: endpoint({
    method: 'GET',
    path: `${operation}/tariff-fees`,
    access: READ,
    summary: 'Lister les frais d’une opération',
    params,
    response: z.object({ items: z.array(TariffFee) }),
  }),
  createFee: endpoint({
    method: 'POST',
    path: `${operation}/tariff-fees`,
    access: WRITE,
    summary: 'Ajouter des frais',
    params,
    body: TariffFeeDraft,
    response: TariffFee,
  }),
  updateFee: endpoint({
    method: 'PATCH',
    path: '/api/tariff-fees/:id',
    access: WRITE,
    summary: 'Modifier des frais',
    params,
    body: TariffFeeUpdate,
    response: TariffFee,
  }),
  removeFee: endpoint({
    method: 'DELETE',
    path: '/api/tariff-fees/:id',
    access: WRITE,
    summary: 'Supprimer des frais',
    params,
    response: Done,
  }),
  discounts: endpoint({
    method: 'GET',
    path: `${operation}/tariff-discounts`,
    access: READ,
    summary: 'Lister les remises d’une opération',
    params,
    response: z.object({ items: z.array(TariffDiscount) }),
  }),
  createDiscount: endpoint({
    method: 'POST',
    path: `${operation}/tariff-discounts`,
    access: WRITE,
    summary: 'Ajouter une remise',
    params,
    body: TariffDiscountDraft,
    response: TariffDiscount,
  }),
  orderDiscounts: endpoint({
    method: 'PUT',
    path: `${operation}/tariff-discounts/order`,
    access: WRITE,
    summary: 'Ranger les remises d’une opération',
    params,
    body: z.strictObject({ ids: z.array(Id).max(500) }),
    response: z.object({ items: z.array(TariffDiscount) }),
  }),
  updateDiscount: endpoint({
    method: 'PATCH',
    path: '/api/tariff-discounts/:id',
    access: WRITE,
    summary: 'Modifier une remise',
    params,
    body: TariffDiscountUpdate,
    response: TariffDiscount,
  }),
  removeDiscount: endpoint({
    method: 'DELETE',
    path: '/api/tariff-discounts/:id',
    access: WRITE,
    summary: 'Supprimer une remise',
    params,
    response: Done,
  }),
}

const indexes = {
  indexes: endpoint({
    method: 'GET',
    path: '/api/price-indexes',
    access: READ,
    summary: 'Lister les indices de prix',
    response: z.object({ items: z.array(PriceIndex) }),
  }),
  createIndex: endpoint({
    method: 'POST',
    path: '/api/price-indexes',
    access: SET,
    summary: 'Ajouter un indice de prix',
    body: PriceIndexDraft,
    response: PriceIndex,
  }),
  updateIndex: endpoint({
    method: 'PATCH',
    path: '/api/price-indexes/:id',
    access: SET,
    summary: 'Modifier un indice de prix',
    params,
    body: PriceIndexUpdate,
    response: PriceIndex,
  }),
  removeIndex: endpoint({
    method: 'DELETE',
    path: '/api/price-indexes/:id',
    access: SET,
    summary: 'Supprimer un indice de prix',
    params,
    response: Done,
  }),
  sayIndex: endpoint({
    method: 'POST',
    path: '/api/price-indexes/:id/values',
    access: SET,
    summary: 'Annoncer, publier ou réviser un indice',
    params,
    body: IndexWordDraft,
    response: PriceIndex,
  }),
}

export const tariffs = { ...versions, ...terms, ...indexes }
