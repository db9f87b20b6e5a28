import { BankAccountDraft } from '@voisol/contract/bank-accounts'
import { BuyerUpdate, NewBuyerGroup } from '@voisol/contract/buyers'
import { MandateDraft, MandateKind, MandateState } from '@voisol/contract/mandates'
import { Bic } from '@voisol/contract/party-numbers'
import { Day } from '@voisol/contract/primitives'
import { BillingMandateUpdate, NewSellerVat, SellerDraft } from '@voisol/contract/sellers'
import { Proof } from '@voisol/contract/signatures'
import { z } from 'zod'
import {
  type ArchiveTable,
  Author,
  COMPUTED,
  conformsTo,
  ignoreColumn,
  mayReferTo,
  OWN,
  refersTo,
  sealedIban,
  VERSIONED,
} from './columns.ts'

const seller = SellerDraft.shape
const vat = NewSellerVat.shape
const buyer = BuyerUpdate.shape
const bank = BankAccountDraft.shape
const mandate = MandateDraft.shape
const VersionCount = z.int().min(0).max(1_000_000_000)

export const PARTIES: Record<string, ArchiveTable> = {
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
      iban_end: ignoreColumn(COMPUTED),
      bic: Bic,
      prefix: seller.prefix,
      payfip: seller.payfip.unwrap(),
      management_fees: seller.managementFees,
      management_fee_rate: seller.managementFeeRate,
    },
    check: conformsTo(SellerDraft),
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
    check: conformsTo(NewSellerVat),
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
    check: conformsTo(BuyerUpdate),
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
      iban_end: ignoreColumn(COMPUTED),
      iban_print: ignoreColumn(COMPUTED),
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
    check: conformsTo(BillingMandateUpdate),
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
      iban_end: ignoreColumn(COMPUTED),
      iban_print: ignoreColumn(COMPUTED),
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
}
