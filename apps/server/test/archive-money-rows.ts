import { CHART_ACCOUNT_NAMES } from '@voisol/contract/book-settings'
import { ARCHIVED_MONTH, type ArchiveIdentity, type ArchiveRows, createRowParts, hashText } from './archive-identity.ts'
import { CREATED_AT } from './archives.ts'

/** The rows of `buildArchiveRows` that say who sells, buys and pays, at which prices, and what was issued. */
export function buildArchivedMoneyRows(identity: ArchiveIdentity): ArchiveRows {
  const { mark, iban } = identity
  const { id, text, own, versioned, email, street } = createRowParts(identity)
  const [operation_id, participant_id, seller_id] = [id('operation'), id('participant'), id('seller')]
  const document = { operation_id, seller_id, buyer_id: participant_id, issued_on: '2025-08-05', due_on: '2025-08-25' }
  const amounts = { wh: 1000, net: 1000, tax: 200, gross: 1200 }
  const payment = { seller_id, buyer_id: participant_id, booked_on: '2025-08-20' }
  return {
    sellers: [
      {
        ...versioned('seller'),
        participant_id,
        name: text('vendeur'),
        legal_form: '',
        siren: '552081317',
        siret: '55208131766522',
        vat_number: 'FR03552081317',
        ...street,
        country: 'FR',
        email,
        phone: '',
        iban,
        iban_end: '',
        bic: '',
        prefix: `${mark.toUpperCase()}-`,
        payfip: '',
        management_fees: [{ kind: 'fixed', amount: 100 }],
        management_fee_rate: 2000,
      },
    ],
    seller_vat: [
      { ...own('VAT'), seller_id, starts_on: '2025-01-01', mode: 'standard', rate: 2000, created_by: text('bureau') },
    ],
    buyer_groups: [{ ...versioned('group'), name: text('groupe'), note: text('note') }],
    buyers: [
      {
        participant_id,
        version: 1,
        kind: 'person',
        legal_name: '',
        joint_holders: [text('cotitulaire')],
        siret: '',
        vat_number: '',
        service_code: '',
        engagement: '',
        ...street,
        country: 'FR',
        email,
        delivery: 'mail',
        group_id: id('group'),
        accise_class: '',
      },
    ],
    bank_accounts: [
      {
        ...versioned('account'),
        owner_id: seller_id,
        name: text('compte'),
        kind: 'bank',
        iban,
        iban_end: '',
        iban_print: '',
        bic: '',
        ics: '',
        pain_version: '08',
        first_marked: false,
      },
    ],
    billing_mandates: [
      {
        ...versioned('billing mandate'),
        seller_id,
        starts_on: '2025-01-01',
        ends_on: null,
        signed_on: '2025-01-01',
        collects: false,
        file_id: id('file'),
      },
    ],
    mandates: [
      {
        ...versioned('mandate'),
        creditor_id: seller_id,
        participant_id,
        rum: `${mark.toUpperCase()}-0001`,
        kind: 'recurrent',
        holder: text('titulaire'),
        iban,
        iban_end: '',
        iban_print: '',
        bic: '',
        signed_on: '2025-01-01',
        method: 'screen',
        proof: {
          at: CREATED_AT,
          name: text('Morel'),
          ip: '192.0.2.1',
          userAgent: text('navigateur'),
          text: text('mandat'),
          hash: hashText('text'),
          witness: text('bureau'),
        },
        file_id: id('file'),
        first_debit_on: null,
        last_debit_on: null,
        former_iban: iban,
        status: 'active',
        status_on: '2025-01-01',
        status_reason: text('motif'),
        lapse_told_on: null,
        created_by: text('bureau'),
      },
    ],
    operation_billing: [
      {
        operation_id,
        patrimonial: false,
        months_per_invoice: 1,
        organiser_id: seller_id,
        supplier_price: 1573,
        surplus_price: 536,
        version: 1,
      },
    ],
    price_indexes: [{ ...versioned('index'), name: text('indice'), source: text('source') }],
    price_index_values: [
      {
        ...own('index value'),
        index_id: id('index'),
        starts_on: '2025-01-01',
        value: '121.37',
        source: text('source'),
        created_by: text('bureau'),
      },
    ],
    tariffs: [
      {
        ...versioned('tariff'),
        operation_id,
        number: 1,
        label: text('tarif'),
        status: 'adopted',
        starts_on: '2025-01-01',
        rules: [
          { id: 'r-1', label: text('prix'), price: 1500 },
          { id: 'r-2', label: text('prix du groupe'), price: 1400, group: id('group') },
          {
            id: 'r-3',
            label: text('prix indexé'),
            price: 1300,
            buyer: participant_id,
            producer: id('plant'),
            index: { indexId: id('index'), base: '121.37', fixedBp: 0 },
          },
        ],
        adopted_at: CREATED_AT,
        adopted_by: text('bureau'),
      },
    ],
    tariff_fees: [
      {
        ...versioned('fee'),
        operation_id,
        seller_id,
        label: text('frais'),
        amount: 500,
        every: 'month',
        starts_on: '2025-01-01',
        ends_on: null,
        rate: null,
        per_kva: false,
        outside: false,
        group_id: id('group'),
      },
    ],
    tariff_discounts: [
      {
        ...versioned('discount'),
        operation_id,
        position: 1,
        label: text('remise'),
        percent_bp: 500,
        amount: null,
        participant_id,
        seller_id,
        starts_on: '2025-01-01',
        ends_on: null,
      },
    ],
    plant_amounts: [
      {
        ...versioned('plant amount'),
        point_id: id('plant'),
        kind: 'maintenance',
        label: text('entretien'),
        amount: 1000,
        every: 'year',
        starts_on: '2025-01-01',
        ends_on: null,
      },
    ],
    lot_spreads: [
      { participant_id, by: 'share', lots: [{ number: text('1'), holder: text('lot'), shares: 100 }], version: 1 },
    ],
    dated_settings: [
      {
        ...own('setting'),
        name: 'mention.exempt',
        value: text('TVA non applicable'),
        starts_on: '2025-01-01',
        source: text('source'),
        created_by: text('bureau'),
      },
    ],
    invoice_series: [
      {
        id: id('series'),
        seller_id,
        kind: 'invoice',
        year: 2025,
        prefix: `${mark.toUpperCase()}-`,
        last: 7,
        before: 0,
        last_on: null,
        last_hash: null,
      },
    ],
    book_settings: [
      {
        seller_id,
        chart: Object.fromEntries([...CHART_ACCOUNT_NAMES.map((name) => [name, '411000']), ['vat', '44571']]),
        journals: Object.fromEntries(
          ['opening', 'sales', 'bank', 'misc'].map((name, at) => [name, { code: `J${at}`, label: text(name) }]),
        ),
        year_start: 1,
        small_write_off: 0,
        version: 1,
      },
    ],
    book_profiles: [
      {
        ...versioned('profile'),
        name: text('export'),
        profile: {
          columns: [{ field: 'account', header: text('compte') }],
          separator: ';',
          header: true,
          decimal: ',',
          dates: 'yyyymmdd',
          encoding: 'utf-8',
          extension: 'csv',
        },
      },
    ],
    invoices: [
      {
        id: id('invoice'),
        kind: 'invoice',
        number: `${mark.toUpperCase()}-1`,
        from_day: ARCHIVED_MONTH,
        ...document,
        ...amounts,
      },
    ],
    past_documents: [
      {
        id: id('past document'),
        kind: 'invoice',
        number: `${mark.toUpperCase()}-0`,
        month: ARCHIVED_MONTH,
        payment_id: id('opening'),
        ...document,
        ...amounts,
      },
    ],
    payments: [
      { id: id('opening'), kind: 'openingDebit', amount: 1200, ...payment },
      { id: id('payment'), kind: 'receipt', amount: 700, ...payment },
    ],
    matches: [
      {
        debit_invoice_id: id('invoice'),
        debit_payment_id: null,
        credit_invoice_id: null,
        credit_payment_id: id('payment'),
        amount: 500,
      },
      {
        debit_invoice_id: null,
        debit_payment_id: id('opening'),
        credit_invoice_id: null,
        credit_payment_id: id('payment'),
        amount: 100,
      },
    ],
  }
}
