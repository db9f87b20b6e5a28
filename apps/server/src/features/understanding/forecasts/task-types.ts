import type { Model, Options, Run } from '@voisol/energy/forecast'
import type { Place } from '@voisol/energy/model/climate'
import type { Series, Step } from '@voisol/energy/series'

export const KINDS = ['production', 'consumption', 'surplus'] as const
export type Kind = (typeof KINDS)[number]
export const SPANS = ['near', 'week'] as const
export type Span = (typeof SPANS)[number]

/** Two days at the step of the meters, seven by hour. */
export const DAYS: Record<Span, number> = { near: 2, week: 7 }

/** Middles as they were issued: production less consumption, from the start of the day of issue. */
export type SaidNet = { span: Span; startsAt: number; step: Step; net: Float64Array }

/** A week of production as it was learnt, level after level, from the start of the day of issue. */
export type SaidBand = { startsAt: number; levels: number[]; values: Int32Array }

/** One issue: what is known when it is made ends with the day before. */
export type IssueAsk = { day: string; issuedAt: number; run: Run | null }

export type IssueInput = {
  place: Place
  peakWatts: number
  step: Step
  /** Production by hour, as far back as it is learnt from. */
  hours: Series
  /** The same at the step of the meters, of late. */
  fine: Series
  /** Consumption at the step of the meters; null for a plant. */
  load: Series | null
  /** Weather as it was issued, a run a day. */
  runs: Run[]
  /** Given: it is not learnt anew. */
  model: Model | null
  /** The first day that the fit must know nothing of. */
  fitOn: string
  /** What is learnt less of, where there is no time for all of it. */
  fit?: Options | undefined
  said: SaidNet[]
  bands: SaidBand[]
  asks: IssueAsk[]
}

export type Issue = {
  day: string
  kind: Kind
  span: Span
  issuedAt: number
  knownUntil: number | null
  startsAt: number
  step: Step
  steps: number
  levels: number[]
  /** Level after level. */
  values: Int32Array
  /** The same as it was learnt, where the edges of the band were moved since. */
  learnt: Int32Array | null
  persistence: Int32Array
  source: Uint8Array
  chance: Uint8Array | null
  recipe: 'appris' | 'modèle' | 'profil'
  learntDays: number
  weatherIssuedAt: number | null
}
export type IssueOutput = { model: Model; issues: Issue[] }
