import { PORTAL_BLOCKS } from '@voisol/contract/access'
import { DEFAULT_HOURS } from '@voisol/contract/support-agents'
import {
  ARCHIVED_DAY,
  ARCHIVED_MONTH,
  type ArchiveIdentity,
  type ArchiveRows,
  createRowParts,
  hashText,
} from './archive-identity.ts'
import { buildArchivedMoneyRows } from './archive-money-rows.ts'
import { CREATED_AT } from './archives.ts'

const toHex = (bytes: number) => `\\x${'00'.repeat(bytes)}`
/** A day of 48 half-hours. */
const DAY_VALUES = toHex(4 * 48)

/** The only file of the archive, and its content. */
export const buildArchivedFile = ({ mark }: ArchiveIdentity) => {
  const content = `${mark} mandat`
  const sha256 = hashText(content)
  return { content, sha256, entry: { name: `fichiers/${sha256}/mandat.pdf`, content: Buffer.from(content) } }
}

/** At least one row of every table that an archive may bring, each reference of which names another row of the same archive. */
export function buildArchiveRows(identity: ArchiveIdentity): ArchiveRows {
  const { mark, prmStart, iban } = identity
  const { id, text, own, versioned, email, street } = createRowParts(identity)
  const [operation_id, participant_id, point_id] = [id('operation'), id('participant'), id('point')]
  const file = buildArchivedFile(identity)
  const noPlace = { latitude: null, longitude: null }
  const point = {
    subscribed_va: null,
    azimuth: null,
    tilt: null,
    commissioned_on: null,
    address: text('rue du point'),
    ...noPlace,
    storage: false,
    precision: 'pin',
  }
  return {
    ...buildArchivedMoneyRows(identity),
    files: [
      {
        ...own('file'),
        name: text('mandat.pdf'),
        media_type: 'application/pdf',
        size: file.content.length,
        sha256: file.sha256,
      },
    ],
    participants: [
      {
        ...versioned('participant'),
        kind: 'person',
        name: text('Morel'),
        first_name: mark,
        last_name: text('Morel'),
        siren: '',
        email,
        phone: '',
        ...street,
        notes: text('à rappeler'),
        tags: [text('bâtiment B')],
        user_id: id('user'),
        iban,
        iban_end: '',
        mandate_reference: text('RUM'),
        mandate_signed_on: '2025-01-01',
        erasure_asked_on: null,
        erased_on: null,
      },
    ],
    points: [
      {
        ...versioned('point'),
        prm: `${prmStart}000001`,
        direction: 'consumption',
        segment: 'C5',
        label: text('logement'),
        peak_watts: null,
        ...point,
      },
      {
        ...versioned('plant'),
        prm: `${prmStart}000002`,
        direction: 'production',
        segment: 'P4',
        label: text('toiture'),
        peak_watts: 9000,
        ...point,
      },
    ],
    curve_days: [
      {
        point_id,
        day: ARCHIVED_DAY,
        version: 1,
        step: 30,
        watts: DAY_VALUES,
        marks: null,
        quality: 1,
        present: 48,
        expected: 48,
        energy: 0,
        peak: 0,
        source: 'enedis',
        import_id: id('curve import'),
        received_at: CREATED_AT,
        superseded_at: null,
      },
    ],
    operations: [
      {
        ...versioned('operation'),
        name: text('les toits'),
        acc_number: `ACC${prmStart}`,
        status: 'active',
        description: text('description'),
        pmo_name: text('association'),
        pmo_siren: '',
        ...street,
        ...noPlace,
        perimeter: 'extended',
        zone: 'metropole',
        capacity_watts: 36_000,
        step_minutes: 30,
        starts_on: '2025-01-01',
        ends_on: null,
        surplus_buyer: text('acheteur du surplus'),
        unit_price: null,
        vat_mode: 'standard',
        time_calendar: { offPeak: [], peak: false },
      },
    ],
    participations: [
      ['participation', point_id],
      ['plant participation', id('plant')],
    ].map(([name = '', point_id]) => ({
      ...versioned(name),
      operation_id,
      participant_id,
      point_id,
      starts_on: '2025-01-01',
      ends_on: null,
      notice_on: null,
      agreement_signed_on: null,
    })),
    consents: [
      {
        ...own('consent'),
        participant_id,
        purpose: 'collection',
        text_version: text('texte'),
        method: 'paper',
        given_at: CREATED_AT,
        expires_on: '2028-01-01',
        withdrawn_at: null,
        recorded_by: text('bureau'),
        ip: text('adresse'),
      },
    ],
    keys: [
      {
        ...versioned('key'),
        operation_id,
        number: 1,
        method: 'static',
        label: text('clé'),
        status: 'adopted',
        starts_on: '2025-01-01',
        decimals: 1,
      },
    ],
    key_shares: [{ id: id('share'), key_id: id('key'), point_id, producer_id: null, share: 1_000_000, rank: null }],
    key_coefficients: [
      {
        id: id('coefficient'),
        key_id: id('key'),
        producer_id: id('plant'),
        point_id,
        day: ARCHIVED_DAY,
        values: DAY_VALUES,
      },
    ],
    allocation_runs: [
      {
        ...own('run'),
        operation_id,
        starts_on: ARCHIVED_MONTH,
        ends_on: '2025-08-01',
        kind: 'provisional',
        status: 'done',
        estimated: false,
        estimate_by: 'own',
        progress: 100,
        message: text('calcul'),
        input_hash: null,
        result_hash: null,
        kept_hash: null,
        engine_version: '1',
        key_ids: [{ id: id('key'), number: 1, method: 'static' }],
        counts: {},
        totals: {},
        completeness: { members: [{ pointId: point_id }] },
        sign_off: {
          reason: text('raison'),
          by: text('bureau'),
          at: CREATED_AT,
          missing: [text('relevé')],
          inputHash: hashText('input'),
          userId: id('user'),
        },
        stale_at: null,
        stale_reason: '',
        created_by: id('user'),
        key_id: id('API key'),
        started_at: null,
        finished_at: null,
      },
    ],
    allocation_days: [
      { run_id: id('run'), point_id, day: ARCHIVED_DAY, allocated: DAY_VALUES, total: 0, local: 0, excluded: 0 },
    ],
    allocation_totals: [{ run_id: id('run'), point_id, month: ARCHIVED_MONTH, time_class: 'HPB', total: 0, local: 0 }],
    allocation_pairs: [
      {
        run_id: id('run'),
        producer_id: id('plant'),
        point_id,
        month: ARCHIVED_MONTH,
        time_class: 'HPB',
        energy: 0,
        days: null,
      },
    ],
    allocation_coverage: [{ operation_id, day: ARCHIVED_DAY, run_id: id('run') }],
    documents: [
      ['document', 'operation'],
      ['project document', 'project'],
    ].map(([name = '', owner_kind = '']) => ({
      ...own(name),
      owner_kind,
      owner_id: id(owner_kind),
      file_id: id('file'),
      label: text('pièce'),
      added_by: text('bureau'),
    })),
    distributor_energies: [{ point_id, day: ARCHIVED_DAY, wh: 1000, received_at: CREATED_AT }],
    distributor_indexes: [
      {
        point_id,
        day: ARCHIVED_DAY,
        calendar: text('calendrier'),
        name: text('index'),
        wh: 1000,
        source: text('flux'),
        received_at: CREATED_AT,
      },
    ],
    distributor_days: [
      {
        operation_id,
        point_id,
        day: ARCHIVED_DAY,
        type: 'cons',
        step: 30,
        watts: DAY_VALUES,
        energy: 0,
        missing: 0,
        received_at: CREATED_AT,
      },
    ],
    distributor_quantities: [
      {
        id: id('quantity'),
        operation_id,
        point_id,
        from_day: ARCHIVED_MONTH,
        to_day: '2025-08-01',
        type: 'cons',
        calendar: text('calendrier'),
        name: text('index'),
        wh: 1000,
        source: text('flux'),
        received_at: CREATED_AT,
        superseded_at: null,
      },
    ],
    projects: [
      {
        ...versioned('project'),
        name: text('projet'),
        kind: 'other',
        status: 'study',
        description: text('description'),
        ...street,
        ...noPlace,
        perimeter: 'extended',
        zone: 'metropole',
        local_price: 1,
        grid_price: 1,
        surplus_price: 1,
        investment_per_kwc: 1,
        yearly_costs: 0,
        method: 'default',
        target_on: null,
        study: null,
        studied_at: null,
        operation_id,
      },
    ],
    project_roofs: [
      {
        id: id('roof'),
        project_id: id('project'),
        building: text('bâtiment'),
        peak_watts: 9000,
        azimuth: 180,
        tilt: 30,
        ...noPlace,
      },
    ],
    project_candidates: [
      {
        id: id('candidate'),
        project_id: id('project'),
        name: text('candidat'),
        email,
        kind: 'person',
        prm: `${prmStart}000003`,
        profile: 'household',
        yearly_kwh: 3000,
        point_id,
        ...noPlace,
      },
    ],
    project_steps: [
      {
        id: id('step'),
        project_id: id('project'),
        title: text('étape'),
        due_on: '2026-01-01',
        done_on: null,
        position: 1,
      },
    ],
    project_notes: [
      { ...own('note'), project_id: id('project'), text: text('note'), author: text('bureau'), pinned: false },
    ],
    supplier_bills: [
      {
        ...own('bill'),
        participant_id,
        point_id,
        supplier: text('fournisseur'),
        number: text('1'),
        from_day: ARCHIVED_MONTH,
        to_day: '2025-08-01',
        deducted_kwh: 10,
        billed_kwh: null,
        verdict: 'right',
        expected_wh: null,
        consumed_wh: null,
        detail: {
          sentences: [text('phrase')],
          parts: [{ from: ARCHIVED_MONTH, to: '2025-08-01', source: 'definitive', local: null, consumed: null }],
        },
        created_by: text('bureau'),
      },
    ],
    message_templates: [
      { ...versioned('message'), name: text('modèle'), subject: text('objet'), body: text('message') },
    ],
    canned_replies: [{ ...versioned('reply'), desk: 'organiser', name: text('réponse'), body: text('réponse') }],
    support_hours: [{ desk: 'organiser', hours: DEFAULT_HOURS, version: 1 }],
    portal_settings: [
      {
        blocks: PORTAL_BLOCKS.map((key) => ({ key, shown: true })),
        comparison: true,
        welcome: text('bienvenue'),
        version: 1,
      },
    ],
    report_templates: [
      {
        ...versioned('report'),
        preset: 'operation-month',
        name: text('rapport'),
        blocks: [{ kind: 'text', title: text('titre'), text: text('texte') }],
      },
    ],
    duty_marks: [
      {
        duty: 'consents:2025-07-01',
        done_on: ARCHIVED_DAY,
        note: text('fait'),
        created_by: text('bureau'),
        created_at: CREATED_AT,
      },
    ],
    contract_events: [
      {
        ...own('event'),
        prm: `${prmStart}000001`,
        event: text('événement'),
        on_day: ARCHIVED_DAY,
        collective: null,
        file_id: id('file'),
      },
    ],
  }
}
