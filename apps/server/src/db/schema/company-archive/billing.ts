import { OperationTerms } from '@voisol/contract/buyers'
import { SETTING_DEFINITIONS, SETTING_NAMES, type SettingName } from '@voisol/contract/dated-settings'
import { Lot, LotsUpdate, MAX_LOTS, SpreadBy } from '@voisol/contract/lots'
import { BasisPoints, FeePeriod, InvoiceKind } from '@voisol/contract/money'
import { AmountDraft } from '@voisol/contract/plants'
import { Day, Id, OptionalText, Text } from '@voisol/contract/primitives'
import { IndexFigure, TariffDiscountUpdate, TariffFeeUpdate, TariffRule } from '@voisol/contract/tariff-terms'
import { z } from 'zod'
import {
  type ArchiveTable,
  Author,
  Cents,
  Count,
  conformsTo,
  Energy,
  ignoreColumn,
  isAfter,
  Month,
  mayReferTo,
  OWN,
  refersTo,
  VERSIONED,
} from './columns.ts'

const terms = OperationTerms.shape
const amount = AmountDraft.shape
const VersionCount = z.int().min(0).max(1_000_000_000)
const Rates = { percent: BasisPoints.min(1).nullable(), amount: z.int().min(1).max(10_000_000).nullable() }

export const BILLING: Record<string, ArchiveTable> = {
  operation_billing: {
    label: 'Conditions de facturation',
    from: 'trusted',
    columns: {
      operation_id: refersTo('operations'),
      patrimonial: terms.patrimonial,
      months_per_invoice: terms.monthsPerInvoice,
      organiser_id: mayReferTo('sellers'),
      supplier_price: terms.supplierPrice,
      surplus_price: terms.surplusPrice,
      version: VersionCount,
    },
  },
  price_indexes: {
    label: 'Indices de prix',
    from: 'trusted',
    columns: { ...VERSIONED, name: Text, source: OptionalText },
  },
  price_index_values: {
    label: 'Valeurs d’indices',
    from: 'trusted',
    columns: {
      ...OWN,
      index_id: refersTo('price_indexes'),
      starts_on: Day,
      value: IndexFigure.nullable(),
      source: OptionalText,
      created_by: Author,
    },
  },
  tariffs: {
    label: 'Tarifs',
    from: 'trusted',
    columns: {
      ...VERSIONED,
      operation_id: refersTo('operations'),
      number: Count,
      label: OptionalText,
      status: z.enum(['draft', 'adopted']),
      starts_on: Day,
      rules: z.array(TariffRule).max(500),
      adopted_at: OWN.created_at.nullable(),
      adopted_by: Author,
    },
    idsInValues: {
      'rules.*.buyer': 'participants',
      'rules.*.group': 'buyer_groups',
      'rules.*.producer': 'points',
      'rules.*.index.indexId': 'price_indexes',
    },
  },
  tariff_fees: {
    label: 'Frais',
    from: 'trusted',
    columns: {
      ...VERSIONED,
      operation_id: refersTo('operations'),
      seller_id: refersTo('sellers'),
      label: Text,
      amount: z.int().min(0).max(10_000_000),
      every: FeePeriod,
      starts_on: Day,
      ends_on: Day.nullable(),
      rate: Rates.percent,
      per_kva: z.boolean(),
      outside: z.boolean(),
      group_id: mayReferTo('buyer_groups'),
    },
    check: conformsTo(TariffFeeUpdate),
  },
  tariff_discounts: {
    label: 'Remises',
    from: 'trusted',
    columns: {
      ...VERSIONED,
      operation_id: refersTo('operations'),
      position: Count,
      label: Text,
      percent_bp: Rates.percent,
      amount: Rates.amount,
      participant_id: mayReferTo('participants'),
      seller_id: mayReferTo('sellers'),
      starts_on: Month,
      ends_on: Month.nullable(),
    },
    check: conformsTo(TariffDiscountUpdate),
  },
  plant_amounts: {
    label: 'Comptes des installations',
    from: 'trusted',
    columns: {
      ...VERSIONED,
      point_id: refersTo('points'),
      kind: amount.kind,
      label: amount.label,
      amount: amount.amount,
      every: amount.every,
      starts_on: Day,
      ends_on: Day.nullable(),
    },
    check: isAfter('starts_on', 'ends_on', 'La fin doit venir après le premier jour.'),
  },
  lot_spreads: {
    label: 'Répartitions par lot',
    from: 'trusted',
    columns: {
      participant_id: refersTo('participants'),
      by: SpreadBy,
      lots: z.array(Lot).max(MAX_LOTS),
      version: VersionCount,
    },
    check: conformsTo(LotsUpdate),
  },
  dated_settings: {
    label: 'Réglages légaux',
    from: 'trusted',
    columns: {
      ...OWN,
      name: z.enum(SETTING_NAMES),
      value: z.unknown(),
      starts_on: Day,
      source: z.string().trim().min(5).max(500),
      created_by: Author,
    },
    check: (row) => SETTING_DEFINITIONS[row.name as SettingName].value.safeParse(row.value).error?.issues[0]?.message, // the name was parsed
    derive: ({ name, value }) => ({ value: SETTING_DEFINITIONS[name as SettingName].value.parse(value) }), // likewise
  },
  invoice_series: {
    label: 'Numérotations de factures',
    from: 'trusted',
    columns: {
      id: Id,
      seller_id: refersTo('sellers'),
      kind: z.enum(['invoice', 'statement']),
      year: z.int().min(2020).max(2100),
      prefix: z.string().regex(/^[A-Z0-9\-_/+]{1,20}$/),
      last: z.int().min(0).max(9_999_998),
      before: ignoreColumn('every number that was given there counts as given before'),
      last_on: ignoreColumn('the chain of documents begins anew here'),
      last_hash: ignoreColumn('the chain of documents begins anew here'),
    },
    derive: ({ last }) => ({ before: last }),
  },
}

/** What was issued elsewhere is not a row that the archive writes: it is read by these, and comes in as taken over. */
const documentAmounts = { net: Cents, tax: Cents, gross: Cents }
export const ISSUED = {
  invoices: z.object({
    id: Id,
    operation_id: Id.nullable(),
    seller_id: Id,
    buyer_id: Id.nullable(),
    kind: InvoiceKind,
    number: Text.max(60),
    issued_on: Day,
    due_on: Day,
    from_day: Day,
    wh: Energy,
    ...documentAmounts,
  }),
  past_documents: z.object({
    id: Id,
    operation_id: Id,
    seller_id: Id,
    buyer_id: Id,
    kind: z.enum(['invoice', 'creditNote']),
    number: Text.max(60),
    issued_on: Day,
    due_on: Day,
    month: Month,
    wh: Energy.nullable(),
    ...documentAmounts,
    payment_id: Id.nullable(),
  }),
  payments: z.object({
    id: Id,
    seller_id: Id,
    buyer_id: Id.nullable(),
    kind: z.enum(['receipt', 'writeOff', 'openingCredit', 'refund', 'return', 'undo', 'charge', 'openingDebit']),
    amount: Cents.min(1),
    booked_on: Day,
  }),
  matches: z.object({
    debit_invoice_id: Id.nullable(),
    debit_payment_id: Id.nullable(),
    credit_invoice_id: Id.nullable(),
    credit_payment_id: Id.nullable(),
    amount: z.int().min(-1_000_000_000_000).max(1_000_000_000_000),
  }),
}
export const ISSUED_LABELS: Record<keyof typeof ISSUED, string> = {
  invoices: 'Factures émises',
  past_documents: 'Factures déjà reprises',
  payments: 'Règlements',
  matches: 'Lettrages',
}
