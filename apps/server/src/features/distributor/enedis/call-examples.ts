const PRM = '19125759625988'
const PLANT = '19125759625013'
const read = { usage_point_id: PRM, start: '2026-09-01', end: '2026-09-02', quality: 'BRUT' }
const acted = { idPrm: PRM, etapeMetier: 'BRUT', periode: { dateDebut: '2026-09-01', dateFin: '2026-09-02' } }
const V4 = { startDate: '2026-08-31T22:00:00Z', endDate: '2026-09-30T22:00:00Z' }
const classes = (high: number, low: number) => [
  { name: 'HPB', value: high },
  { name: 'HCB', value: low },
]

const written = (value: unknown) => JSON.stringify(value, null, 2)

/** What each call answers: the shape the parsers read, with values of the size one meets. */
export const EXAMPLES = {
  token: written({
    access_token: '•••',
    token_type: 'Bearer',
    expires_in: 12_600,
    scope: 'am_application_scope default',
  }),
  curveV2: written({
    ...acted,
    modeCalcul: 'MESURE',
    grandeur: [
      {
        grandeurMetier: 'CONS',
        grandeurPhysique: 'PA',
        unite: 'W',
        points: [
          { v: '540', d: '2026-09-01 00:30:00', p: 'PT30M', n: 'B', iv: '0' },
          { v: '512', d: '2026-09-01 01:00:00', p: 'PT30M', n: 'B', iv: '0' },
        ],
        calendrier: [],
      },
    ],
    contexte: [],
  }),
  dailyV2: written({
    ...acted,
    modeCalcul: 'MESURE',
    pas: 'P1D',
    grandeur: [
      {
        grandeurMetier: 'CONS',
        grandeurPhysique: 'EA',
        unite: 'Wh',
        points: [{ v: '9840', d: '2026-09-01' }],
        calendrier: [],
      },
    ],
    contexte: [],
  }),
  curveV1: written({
    meter_reading: {
      ...read,
      reading_type: { measurement_kind: 'power', unit: 'W', aggregate: 'average' },
      interval_reading: [
        { value: '540', date: '2026-09-01 00:30:00', interval_length: 'PT30M', measure_type: 'B' },
        { value: '512', date: '2026-09-01 01:00:00', interval_length: 'PT30M', measure_type: 'B' },
      ],
    },
  }),
  dailyV1: written({
    meter_reading: {
      ...read,
      reading_type: { measurement_kind: 'energy', unit: 'Wh', aggregate: 'sum', measuring_period: 'P1D' },
      interval_reading: [{ value: '9840', date: '2026-09-01' }],
    },
  }),
  perimeter: written({ usage_point_id: [PRM, PLANT], query_parameters: { page_total_count: 1 } }),
  services: written({
    nbTotalServices: 1,
    serviceSouscrit: [
      {
        id: 'S-1',
        injection: false,
        soutirage: true,
        serviceCode: 'ACCES',
        etatCode: 'ACTIF',
        dateDebut: '2026-09-28',
        dateFin: '2029-09-27',
        pointId: PRM,
        mesuresTypeCode: 'CDC',
        mesuresPas: 'PT30M',
      },
    ],
  }),
  agreements: written({
    agreements: [{ agreement_id: 'ACC00000537', name: 'Les Tilleuls', start: '2025-01-01', end: null }],
  }),
  agreement: written({
    usage_points: [
      { usage_point_id: PLANT, role: 'prod', start: '2025-01-01', end: null },
      { usage_point_id: PRM, role: 'cons', start: '2025-01-01', end: null },
    ],
  }),
  series: written({
    series: [
      {
        usage_point_id: PRM,
        type: 'autocons',
        step: 'PT15M',
        unit: 'W',
        points: [
          { v: '320', d: '2026-09-01T10:15:00Z' },
          { v: '348', d: '2026-09-01T10:30:00Z' },
        ],
      },
    ],
  }),
  quantities: written({
    cons_id: PRM,
    ...V4,
    unit: 'kWh',
    quantities: [
      { type: 'cons', calendar_type: 'DISTRIB', quantities: classes(310, 120) },
      { type: 'autocons', calendar_type: 'DISTRIB', quantities: classes(95, 4) },
      { type: 'complement', calendar_type: 'DISTRIB', quantities: classes(215, 116) },
    ],
  }),
  keys: '',
}
