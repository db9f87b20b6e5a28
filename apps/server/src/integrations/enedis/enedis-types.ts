/**
 * Types of the distributor's data, in our terms. Days are local to Paris, bounds half-open; instants are epoch minutes.
 */
export type Direction = 'consumption' | 'production'
export type EnedisCurvePoint = {
  /** The end of the interval. */
  end: number
  minutes: number
  watts: number
  quality: 'raw' | 'corrected' | 'estimated' | 'doubtful'
}
/** Sorted, one value per instant; missing values are absent. */
export type EnedisCurve = { prm: string; direction: Direction; points: EnedisCurvePoint[] }
export const SERIES_TYPES = ['cons', 'prod', 'autocons', 'surplus', 'complement'] as const
export type SeriesType = (typeof SERIES_TYPES)[number]
export type EnedisQuantity = { type: SeriesType; calendar: string; name: string; wh: number }
export type EnedisAgreement = { acc: string; name: string; startsOn: string | null; endsOn: string | null }
export type AgreementPoint = { prm: string; role: 'cons' | 'prod'; startsOn: string | null; endsOn: string | null }
export type SubscribedService = { active: boolean; startsOn: string | null; endsOn: string | null; kind: string }

type LoadCurveRequest = { prm: string; direction: Direction; from: string; to: string }

/** Implemented alike for every interface. */
export type EnedisClient = {
  perimeter(): Promise<string[]>
  /** At most seven days at a time. */
  loadCurve(asked: LoadCurveRequest): Promise<EnedisCurve>
  dailyEnergy(asked: LoadCurveRequest): Promise<{ day: string; wh: number }[]>
  agreements(): Promise<EnedisAgreement[]>
  agreement(acc: string): Promise<AgreementPoint[]>
  series(asked: {
    acc: string
    type: SeriesType
    prm?: string
    from: string
    to: string
  }): Promise<(EnedisCurve & { type: SeriesType })[]>
  definitiveEnergy(asked: {
    acc: string
    prm: string
    role: 'cons' | 'prod'
    from: string
    to: string
  }): Promise<EnedisQuantity[]>
  services(prm: string): Promise<SubscribedService[]>
  uploadKeys(asked: { acc: string; producerPrm: string; csv: string }): Promise<void>
}

/** The record of one exchange; the listener archives the answer. */
export type ExchangeTrace = {
  request: string
  status: number | null
  milliseconds: number
  headers: Record<string, string>
  body: string
  requestId: string
  /** No call is to be made before; sent with the answer, whatever its status. */
  retryAt?: Date | undefined
}
