import { BankAccountDraft } from '@voisol/contract/bank-accounts'
import { BuyerUpdate, NewBuyerGroup, OperationTerms } from '@voisol/contract/buyers'
import { SETTING_NAMES, SETTINGS, type SettingName } from '@voisol/contract/dated-settings'
import { Lot, MOST_LOTS, SpreadBy } from '@voisol/contract/lots'
import { MandateDraft, MandateKind, MandateState } from '@voisol/contract/mandates'
import { BasisPoints, Every, InvoiceKind } from '@voisol/contract/money'
import { Bic } from '@voisol/contract/party-numbers'
import { AmountDraft } from '@voisol/contract/plants'
import { IndexFigure } from '@voisol/contract/price-indexes'
import { Day, Id, OptionalText, Text } from '@voisol/contract/primitives'
import { NewSellerVat, SellerDraft } from '@voisol/contract/sellers'
import { Proof } from '@voisol/contract/signatures'
import { TariffRule } from '@voisol/contract/tariff-rule'
import { z } from 'zod'
import {
  type ArchiveTable,
  Author,
  Cents,
  COMPUTED,
  Count,
  Energy,
  ignored,
  isAfter,
  Month,
  mayReferTo,
  OWN,
  refersTo,
  sealedIban,
  VERSIONED,
} from './columns.ts'

const seller = SellerDraft.shape
const vat = NewSellerVat.shape
const buyer = BuyerUpdate.shape
const terms = OperationTerms.shape
const bank = BankAccountDraft.shape
const mandate = MandateDraft.shape
const amount = AmountDraft.shape
const VersionCount = z.int().min(0).max(1_000_000_000)
const Rates = { percent: BasisPoints.min(1).nullable(), amount: z.int().min(1).max(10_000_000).nullable() }
const END_FAULT = 'La fin doit venir après le début.'

export const BILLING: Record<string, ArchiveTable> = {
  sellers: {
    label: 'Vendeurs',
    from: 'trusted',
    columns: {
      ...VERSIONED,
      participant_id: mayReferTo('participants'),
      name: seller.name,
      legal_form: seller.legalForm,
      siren: seller.siren,
      siret: seller.siret,
      vat_number: seller.vatNumber,
      address: seller.address,
      postal_code: seller.postalCode,
      city: seller.city,
      country: seller.country,
      email: seller.email,
      phone: seller.phone,
      iban: sealedIban('seller iban'),
      iban_end: ignored(COMPUTED),
      bic: Bic,
      prefix: seller.prefix,
      payfip: seller.payfip.unwrap(),
      management_fees: seller.managementFees,
      management_fee_rate: seller.managementFeeRate,
    },
  },
  seller_vat: {
    label: 'Régimes de TVA',
    from: 'trusted',
    columns: {
      ...OWN,
      seller_id: refersTo('sellers'),
      starts_on: vat.startsOn,
      mode: vat.mode,
      rate: vat.rate,
      created_by: Author,
    },
  },
  buyer_groups: {
    label: 'Groupes d’acheteurs',
    from: 'trusted',
    columns: { ...VERSIONED, name: NewBuyerGroup.shape.name, note: z.string().trim().max(500) },
  },
  buyers: {
    label: 'Acheteurs',
    from: 'trusted',
    columns: {
      participant_id: refersTo('participants'),
      version: VersionCount,
      kind: buyer.kind,
      legal_name: buyer.legalName,
      joint_holders: buyer.jointHolders,
      siret: buyer.siret,
      vat_number: buyer.vatNumber,
      service_code: buyer.serviceCode,
      engagement: buyer.engagement,
      address: buyer.address,
      postal_code: buyer.postalCode,
      city: buyer.city,
      country: buyer.country,
      email: buyer.email,
      delivery: buyer.delivery,
      group_id: mayReferTo('buyer_groups'),
      accise_class: buyer.acciseClass,
    },
  },
  bank_accounts: {
    label: 'Comptes bancaires',
    from: 'trusted',
    columns: {
      ...VERSIONED,
      owner_id: refersTo('sellers'),
      name: bank.name,
      kind: z.enum(['bank', 'online']),
      iban: sealedIban('bank account'),
      iban_end: ignored(COMPUTED),
      iban_print: ignored(COMPUTED),
      bic: bank.bic,
      ics: bank.ics,
      pain_version: bank.painVersion,
      first_marked: z.boolean(),
    },
  },
  billing_mandates: {
    label: 'Mandats de facturation',
    from: 'trusted',
    columns: {
      ...VERSIONED,
      seller_id: refersTo('sellers'),
      starts_on: Day,
      ends_on: Day.nullable(),
      signed_on: Day,
      collects: z.boolean(),
      file_id: mayReferTo('files'),
    },
    check: isAfter('starts_on', 'ends_on', END_FAULT),
  },
  mandates: {
    label: 'Mandats de prélèvement',
    from: 'trusted',
    columns: {
      ...VERSIONED,
      creditor_id: refersTo('sellers'),
      participant_id: refersTo('participants'),
      rum: mandate.rum.unwrap(),
      kind: MandateKind,
      holder: mandate.holder,
      iban: sealedIban('mandate iban', false),
      iban_end: ignored(COMPUTED),
      iban_print: ignored(COMPUTED),
      bic: mandate.bic,
      signed_on: Day,
      method: z.enum(['screen', 'paper', 'import']),
      proof: z.strictObject(Proof.shape).nullable(),
      file_id: mayReferTo('files'),
      first_debit_on: Day.nullable(),
      last_debit_on: Day.nullable(),
      former_iban: sealedIban('mandate iban'),
      status: MandateState,
      status_on: Day,
      status_reason: z.string().max(500),
      lapse_told_on: Day.nullable(),
      created_by: Author,
    },
    check: (row) =>
      (row.method === 'screen') === (row.proof !== null)
        ? undefined
        : 'Un mandat signé à l’écran porte sa preuve, et lui seul.',
  },
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
    refersTo: ({ rules }) =>
      (rules as z.output<typeof TariffRule>[]).flatMap(({ buyer: participant, group, producer, index }) => [
        ['participants', participant],
        ['buyer_groups', group],
        ['points', producer],
        ['price_indexes', index?.indexId],
      ]), // parsed as such
    after: ['participants', 'buyer_groups', 'points', 'price_indexes'],
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
      every: Every,
      starts_on: Day,
      ends_on: Day.nullable(),
      rate: Rates.percent,
      per_kva: z.boolean(),
      outside: z.boolean(),
      group_id: mayReferTo('buyer_groups'),
    },
    check: isAfter('starts_on', 'ends_on', END_FAULT),
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
    check: (row) =>
      (row.percent_bp === null) === (row.amount === null)
        ? 'Une remise est un pourcentage ou un montant, l’un des deux.'
        : isAfter('starts_on', 'ends_on', END_FAULT)(row),
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
  },
  lot_spreads: {
    label: 'Répartitions par lot',
    from: 'trusted',
    columns: {
      participant_id: refersTo('participants'),
      by: SpreadBy,
      lots: z.array(Lot).max(MOST_LOTS),
      version: VersionCount,
    },
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
    check: (row) => SETTINGS[row.name as SettingName].value.safeParse(row.value).error?.issues[0]?.message, // the name was parsed
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
      before: ignored('every number that was given there counts as given before'),
      last_on: ignored('the chain of documents begins anew here'),
      last_hash: ignored('the chain of documents begins anew here'),
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
