const CONSUMER_PRM = '19125759625988'
const PRODUCER_PRM = '19125759625013'
const READING_V1 = { usage_point_id: CONSUMER_PRM, start: '2026-09-01', end: '2026-09-02', quality: 'BRUT' }
const MEASURE_V2 = {
  idPrm: CONSUMER_PRM,
  etapeMetier: 'BRUT',
  periode: { dateDebut: '2026-09-01', dateFin: '2026-09-02' },
}
const PERIOD_V4 = { startDate: '2026-08-31T22:00:00Z', endDate: '2026-09-30T22:00:00Z' }
const buildClasses = (high: number, low: number) => [
  { name: 'HPB', value: high },
  { name: 'HCB', value: low },
]

const formatJson = (value: unknown) => JSON.stringify(value, null, 2)

/** Example answer of each call, in the format of the parsers and with realistic values. */
export const ANSWER_EXAMPLES = {
  token: formatJson({
    access_token: '•••',
    token_type: 'Bearer',
    expires_in: 12_600,
    scope: 'am_application_scope default',
  }),
  curveV2: formatJson({
    ...MEASURE_V2,
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
  dailyV2: formatJson({
    ...MEASURE_V2,
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
  curveV1: formatJson({
    meter_reading: {
      ...READING_V1,
      reading_type: { measurement_kind: 'power', unit: 'W', aggregate: 'average' },
      interval_reading: [
        { value: '540', date: '2026-09-01 00:30:00', interval_length: 'PT30M', measure_type: 'B' },
        { value: '512', date: '2026-09-01 01:00:00', interval_length: 'PT30M', measure_type: 'B' },
      ],
    },
  }),
  dailyV1: formatJson({
    meter_reading: {
      ...READING_V1,
      reading_type: { measurement_kind: 'energy', unit: 'Wh', aggregate: 'sum', measuring_period: 'P1D' },
      interval_reading: [{ value: '9840', date: '2026-09-01' }],
    },
  }),
  perimeter: formatJson({ usage_point_id: [CONSUMER_PRM, PRODUCER_PRM], query_parameters: { page_total_count: 1 } }),
  services: formatJson({
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
        pointId: CONSUMER_PRM,
        mesuresTypeCode: 'CDC',
        mesuresPas: 'PT30M',
      },
    ],
  }),
  agreements: formatJson({
    agreements: [{ agreement_id: 'ACC00000537', name: 'Les Tilleuls', start: '2025-01-01', end: null }],
  }),
  agreement: formatJson({
    usage_points: [
      { usage_point_id: PRODUCER_PRM, role: 'prod', start: '2025-01-01', end: null },
      { usage_point_id: CONSUMER_PRM, role: 'cons', start: '2025-01-01', end: null },
    ],
  }),
  series: formatJson({
    series: [
      {
        usage_point_id: CONSUMER_PRM,
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
  quantities: formatJson({
    cons_id: CONSUMER_PRM,
    ...PERIOD_V4,
    unit: 'kWh',
    quantities: [
      { type: 'cons', calendar_type: 'DISTRIB', quantities: buildClasses(310, 120) },
      { type: 'autocons', calendar_type: 'DISTRIB', quantities: buildClasses(95, 4) },
      { type: 'complement', calendar_type: 'DISTRIB', quantities: buildClasses(215, 116) },
    ],
  }),
  keys: '',
}
