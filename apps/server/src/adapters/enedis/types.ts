/** What the distributor knows of a meter, in our words. Days are local to Paris, bounds half-open; instants are epoch minutes. */
export type Direction = 'consumption' | 'production'
export type CurvePoint = {
  /** The end of the interval. */
  end: number
  minutes: number
  watts: number
  quality: 'raw' | 'corrected' | 'estimated' | 'doubtful'
}
/** Sorted, one value per instant; what is missing is not there. */
export type Curve = { prm: string; direction: Direction; points: CurvePoint[] }
export const SERIES_TYPES = ['cons', 'prod', 'autocons', 'surplus', 'complement'] as const
export type SeriesType = (typeof SERIES_TYPES)[number]
export type Quantity = { type: SeriesType; calendar: string; name: string; wh: number }
export type Agreement = { acc: string; name: string; startsOn: string | null; endsOn: string | null }
export type AgreementPoint = { prm: string; role: 'cons' | 'prod'; startsOn: string | null; endsOn: string | null }
export type Service = { active: boolean; startsOn: string | null; endsOn: string | null; kind: string }

type Asked = { prm: string; direction: Direction; from: string; to: string }

/** Every backend answers these alike. */
export type Enedis = {
  perimeter(): Promise<string[]>
  /** At most seven days at a time. */
  loadCurve(asked: Asked): Promise<Curve>
  dailyEnergy(asked: Asked): Promise<{ day: string; wh: number }[]>
  agreements(): Promise<Agreement[]>
  agreement(acc: string): Promise<AgreementPoint[]>
  series(asked: {
    acc: string
    type: SeriesType
    prm?: string
    from: string
    to: string
  }): Promise<(Curve & { type: SeriesType })[]>
  definitiveEnergy(asked: {
    acc: string
    prm: string
    role: 'cons' | 'prod'
    from: string
    to: string
  }): Promise<Quantity[]>
  services(prm: string): Promise<Service[]>
  uploadKeys(asked: { acc: string; producerPrm: string; csv: string }): Promise<void>
}

/** One exchange, as it was: the answer is archived by whoever listens. */
export type Trace = {
  request: string
  status: number | null
  milliseconds: number
  headers: Record<string, string>
  body: string
  requestId: string
  /** No call before: it came with the answer, whatever its status. */
  retryAt?: Date | undefined
}
